/** Maps values in their order, up to `width` at once and ahead of the reader; waits for those under way when it is left. */
export async function* mapAhead<T, U>(
  source: AsyncIterable<T>,
  width: number,
  map: (value: T) => Promise<U>,
): AsyncGenerator<U> {
  const underWay: Promise<U>[] = [];
  try {
    for await (const value of source) {
      const mapped = map(value);
      // It may fail before it is awaited.
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
