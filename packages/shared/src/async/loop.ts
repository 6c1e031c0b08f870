/** Options of a loop. */
export interface LoopOptions {
  /** One pass; the signal fires when the loop stops. May return the delay until the next pass in ms, instead of `everyMs`. */
  readonly work: (signal: AbortSignal) => Promise<number | undefined> | Promise<void>;
  /** Delay between the end of a pass and the next one; `Infinity` for a loop that only runs when woken. */
  readonly everyMs: number;
  /** Delay before the first pass. Default 0. */
  readonly firstAfterMs?: number;
  /** Delay between a wake and its pass, during which further wakes have no effect. Default 0. */
  readonly wakeDelayMs?: number;
  /** Delay after a pass that failed. Default `everyMs`. */
  readonly retryMs?: number;
  /** Maximum delay, up to which it doubles with each consecutive failure. Default `retryMs`: constant. */
  readonly maxRetryMs?: number;
  /** Called with the error of a pass and the number of consecutive failures, unless the signal aborted the pass. */
  readonly onError: (error: unknown, failures: number) => void;
}

/** Maximum delay of a timer in Node. */
const maxTimerMs = 2 ** 31 - 1;

/** Whether an error is the reason of the signal or the AbortError that Node wraps it in. */
function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'));
}

/** Repeats work in the background; passes never overlap. */
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

  /**
   * Starts a pass now, or after the current one; further wakes before that pass have no effect. Starts the loop if
   * necessary.
   */
  wake(): void {
    if (this.#isWoken) return;
    this.#isStarted = true;
    this.#isWoken = true;
    if (!this.#running) this.#schedule(this.#options.wakeDelayMs ?? 0);
  }

  /** Resolves at the end of the current pass; undefined when no pass is running. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Stops the loop: aborts the signal and resolves when the current pass has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
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
    // Starts asynchronously, so that all wakes within one tick of the event loop result in one pass.
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

/** Creates a loop, which is not started yet. Its timers do not keep the process alive. */
export function createLoop(options: LoopOptions): Loop {
  return new Loop(options);
}
