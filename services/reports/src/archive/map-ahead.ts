/**
 * Maps values in order, up to `width` concurrently and ahead of the reader; waits for pending ones when the reader
 * stops early.
 */
export async function* mapAhead<T, U>(
  source: AsyncIterable<T>,
  width: number,
  map: (value: T) => Promise<U>,
): AsyncGenerator<U> {
  const inFlight: Promise<U>[] = [];
  try {
    for await (const value of source) {
      const mapped = map(value);
      // Prevents an unhandled rejection before it is awaited.
      void Promise.allSettled([mapped]);
      inFlight.push(mapped);
      const first = inFlight.length >= width && inFlight.shift();
      if (first) yield await first;
    }
    for (let first = inFlight.shift(); first; first = inFlight.shift()) yield await first;
  } finally {
    await Promise.allSettled(inFlight);
  }
}
