/** What a loop does, and when. */
export interface LoopOptions {
  /** One pass; the signal fires when the loop stops. May return the delay until the next pass in ms, instead of `everyMs`. */
  readonly work: (signal: AbortSignal) => Promise<number | undefined> | Promise<void>;
  /** Delay between the end of a pass and the next one; `Infinity` when only a wake starts one. */
  readonly everyMs: number;
  /** Delay before the first pass. Default 0. */
  readonly firstAfterMs?: number;
  /** Delay between a wake and its pass, in which further wakes change nothing. Default 0. */
  readonly wakeDelayMs?: number;
  /** Delay after a pass that failed. Default `everyMs`. */
  readonly retryMs?: number;
  /** The delay doubles with each further failure in a row, up to this. Default `retryMs`: it does not grow. */
  readonly maxRetryMs?: number;
  /** Called with the error of a pass and the number of failures in a row, unless the pass ended because of the signal. */
  readonly onError: (error: unknown, failures: number) => void;
}

/** Longest delay of a timer in Node. */
const maxTimerMs = 2 ** 31 - 1;

/** Whether work threw this because the signal fired: the reason itself, or what Node makes of it. */
function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'));
}

/** Repeats work in the background, never two passes at the same time. */
class Loop {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isWoken = false;
  #failures = 0;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Starts the first pass after its delay; a second call does nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#schedule(this.#options.firstAfterMs ?? 0);
  }

  /** Starts a pass now, or after the current one; further wakes before that pass do nothing. Starts the loop as well. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isStarted = true;
    this.#isWoken = true;
    if (!this.#running) this.#schedule(this.#options.wakeDelayMs ?? 0);
  }

  /** Resolves at the end of the current pass; undefined when none runs. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Starts no further pass, aborts the signal and resolves when the current pass has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service stops'));
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopping.signal.aborted || delayMs === Number.POSITIVE_INFINITY) return;
    if (delayMs <= 0) this.#run();
    else this.#timer = setTimeout(() => this.#run(), Math.min(delayMs, maxTimerMs)).unref();
  }

  #run(): void {
    // Starts asynchronously, so that all wakes of one tick of the event loop are one pass.
    this.#running = Promise.resolve()
      .then(() => this.#pass())
      .then((delayMs) => {
        this.#running = undefined;
        this.#schedule(this.#isWoken ? (this.#options.wakeDelayMs ?? 0) : delayMs);
      });
  }

  async #pass(): Promise<number> {
    const { work, everyMs, retryMs = everyMs, maxRetryMs = retryMs, onError } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return everyMs;
    this.#isWoken = false;
    try {
      const delayMs = (await work(signal)) ?? everyMs;
      this.#failures = 0;
      return delayMs;
    } catch (error) {
      this.#failures += 1;
      if (!isAbort(error, signal)) onError(error, this.#failures);
      return Math.min(retryMs * 2 ** (this.#failures - 1), maxRetryMs);
    }
  }
}

export type { Loop };

/** A loop that has not been started. Its timers alone do not keep a process alive. */
export function createLoop(options: LoopOptions): Loop {
  return new Loop(options);
}
