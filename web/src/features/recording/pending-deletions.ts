/** A deletion that has not been sent yet. */
interface Pending {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly send: (isLeaving: boolean) => void;
  readonly onEnd: (() => void) | undefined;
}

/** Delays deletions so that they can be undone. */
export interface PendingDeletions {
  /**
   * Calls `send` after `undoMs`, or immediately when the page is left (`isLeaving`); calls `onEnd` when the deletion is
   * sent or undone.
   */
  add(id: number, send: (isLeaving: boolean) => void, onEnd?: () => void): void;
  /** Cancels a deletion. Returns false if it has already been sent. */
  undo(id: number): boolean;
  /** Sends all pending deletions, when the page is left. */
  flush(): void;
  has(id: number): boolean;
  subscribe(listener: () => void): () => void;
}

/** Time to undo a deletion. */
export const undoMs = 8_000;

/** Creates an empty list of pending deletions. */
export function createPendingDeletions(): PendingDeletions {
  const pending = new Map<number, Pending>();
  const listeners = new Set<() => void>();

  function take(id: number): Pending | undefined {
    const one = pending.get(id);
    if (one === undefined) return undefined;
    clearTimeout(one.timer);
    pending.delete(id);
    one.onEnd?.();
    for (const listener of listeners) listener();
    return one;
  }

  return {
    add(id, send, onEnd) {
      if (pending.has(id)) return;
      const timer = setTimeout(() => take(id)?.send(false), undoMs);
      pending.set(id, { timer, send, onEnd });
      for (const listener of listeners) listener();
    },
    undo: (id) => take(id) !== undefined,
    flush() {
      for (const id of [...pending.keys()]) take(id)?.send(true);
    },
    has: (id) => pending.has(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
