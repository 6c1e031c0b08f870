import pLimit, { type LimitFunction } from 'p-limit';

/** Returns a function that runs work with the same key sequentially, in the order of the calls. */
export function createKeyedQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { readonly limit: LimitFunction; count: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { limit: pLimit(1), count: 0 };
    queues.set(key, queue);
    queue.count += 1;
    try {
      return await queue.limit(work);
    } finally {
      queue.count -= 1;
      if (queue.count === 0) queues.delete(key);
    }
  };
}
