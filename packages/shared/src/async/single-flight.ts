interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Does a piece of work once for all who want the same at the same time. */
class SingleFlight<T, K> {
  readonly #flights = new Map<K, Flight<T>>();

  /**
   * Joins the work of this key that runs, or starts it. Its signal fires when all who wait for it have left, by a
   * `signal` of their own; who comes after that starts it anew. Who gives no signal never leaves.
   */
  async run(key: K, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiting += 1;
    if (!signal) return flight.result;
    const leave = () => {
      flight.waiting -= 1;
      if (flight.waiting > 0) return;
      this.#remove(key, flight);
      flight.controller.abort(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await flight.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Lets those who come from now on start anew; the work that runs goes on for those who wait for it. */
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

/** For results of one type, by keys of one type. */
export function createSingleFlight<T, K = string>(): SingleFlight<T, K> {
  return new SingleFlight();
}
