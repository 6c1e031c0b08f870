/**
 * Maps values in order, up to `width` concurrently and ahead of the reader; waits for pending ones when the reader
 * stops early.
 */
export async function* mapAhead<T, U>(
  source: AsyncIterable<T>,
  width: number,
  map: (value: T) => Promise<U>,
): AsyncGenerator<U> {
  const underWay: Promise<U>[] = [];
  try {
    for await (const value of source) {
      const mapped = map(value);
      // Prevents an unhandled rejection before it is awaited.
      void Promise.allSettled([mapped]);
      underWay.push(mapped);
      const first = underWay.length >= width && underWay.shift();
      if (first) yield await first;
    }
    for (let first = underWay.shift(); first; first = underWay.shift()) yield await first;
  } finally {
    await Promise.allSettled(underWay);
  }
}
