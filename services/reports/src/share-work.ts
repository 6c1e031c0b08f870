/** Does a piece of work once for all who want the same at once. */
export type ShareWork<T> = (
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

interface Shared<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work under way is aborted when all who waited for it have left. */
export function createShareWork<T>(): ShareWork<T> {
  const underWay = new Map<string, Shared<T>>();

  function forget(key: string, shared: Shared<T>): void {
    if (underWay.get(key) === shared) underWay.delete(key);
  }

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => forget(key, shared));
    const shared: Shared<T> = { result, controller, waiting: 0 };
    underWay.set(key, shared);
    return shared;
  }

  return async (key, signal, work) => {
    signal.throwIfAborted();
    const shared = underWay.get(key) ?? begin(key, work);
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting > 0) return;
      forget(key, shared);
      shared.controller.abort(signal.reason);
    };
    shared.waiting += 1;
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await shared.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
