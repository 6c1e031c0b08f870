import type { Logger } from 'pino';

/** Does work again and again, one run at a time. */
export interface Refresher {
  /** Something has changed: do it soon, once for all that changes in a moment. */
  ask(): void;
  /** Resolves when the run under way has ended. */
  close(): Promise<void>;
}

const settleMs = 250;
const retryMs = 5_000;

/** Works when asked, and unasked after the pause, in ms, that each run answers. */
export function createRefresher(work: () => Promise<number>, log: Logger): Refresher {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isClosed = false;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(start, afterMs);
  }

  async function run(): Promise<void> {
    isAsked = false;
    const pauseMs = await work().catch((error: unknown) => {
      log.warn({ err: error }, 'home assistant not told, trying again');
      return retryMs;
    });
    running = undefined;
    schedule(isAsked ? settleMs : pauseMs);
  }

  function start(): void {
    running = run();
  }

  return {
    ask() {
      if (isAsked) return;
      isAsked = true;
      if (!running) schedule(settleMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
