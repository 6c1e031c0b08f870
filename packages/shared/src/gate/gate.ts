/** Lets so many pieces of work run at once; the others wait for their turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** A gate for `width` at once, first come first served. */
export function createGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let free = width;

  async function enter(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
