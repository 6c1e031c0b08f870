/** A number of places for work at once. */
export interface Slots {
  /** Resolves with the number of free places as soon as there are so many. */
  free(least: number): Promise<number>;
  /** Waits for a place and starts the work; resolves when it has started, not when it is done. */
  run(work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
}

/** The work handed in reports its own failures; one that rejects all the same is a defect and goes unhandled. */
export function createSlots(count: number): Slots {
  const running = new Set<Promise<void>>();

  async function free(least: number): Promise<number> {
    while (running.size > count - least) await Promise.race(running);
    return count - running.size;
  }

  return {
    free,
    async run(work) {
      await free(1);
      const task = work().finally(() => running.delete(task));
      running.add(task);
    },
    async idle() {
      while (running.size) await Promise.race(running);
    },
  };
}
