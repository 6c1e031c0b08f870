import { createGate, type Gate } from '@birdhub/shared/gate';

/** Runs pieces of work one after the other when they share a key, as they come. */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { readonly gate: Gate; count: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { gate: createGate(1), count: 0 };
    queues.set(key, queue);
    queue.count += 1;
    try {
      return await queue.gate(work);
    } finally {
      queue.count -= 1;
      if (queue.count === 0) queues.delete(key);
    }
  };
}
