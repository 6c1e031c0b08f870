/** Maps values in their order, so many under way before they are asked for; ends what is under way when it is left. */
export async function* mapAhead<T, U>(
  source: AsyncIterable<T>,
  width: number,
  map: (value: T) => Promise<U>,
): AsyncGenerator<U> {
  const underWay: Promise<U>[] = [];
  try {
    for await (const value of source) {
      const mapped = map(value);
      // It may fail before its turn comes.
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
