interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Deduplicates concurrent work with the same key. */
class SingleFlight<T, K> {
  readonly #flights = new Map<K, Flight<T>>();

  /**
   * Joins the work in flight for this key, or starts it. The signal of the work fires when the signals of all callers have
   * fired; later callers then start the work again. A caller without a signal waits until the end.
   */
  async run(key: K, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiting += 1;
    if (!signal) return flight.result;
    const abort = () => {
      flight.waiting -= 1;
      if (flight.waiting > 0) return;
      this.#remove(key, flight);
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await flight.result;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Makes later callers start new work; running work continues for its callers. */
  forget(): void {
    this.#flights.clear();
  }

  #start(key: K, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.#remove(key, flight));
    const flight: Flight<T> = { result, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #remove(key: K, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

export type { SingleFlight };

/** Creates a single-flight for one type of results and keys. */
export function createSingleFlight<T, K = string>(): SingleFlight<T, K> {
  return new SingleFlight();
}
