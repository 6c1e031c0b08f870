import { expect, test } from 'vitest';
import { createKeyedQueue } from './keyed-queue.js';

test('createKeyedQueue, work of two keys, runs in order per key and continues after a failure', async () => {
  const enqueue = createKeyedQueue();
  const log: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = enqueue('a', async () => {
    await held;
    log.push('a1');
    throw new Error('failed');
  });
  const second = enqueue('a', async () => void log.push('a2'));
  await enqueue('b', async () => void log.push('b1'));
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(log).toEqual(['b1', 'a1', 'a2']);
});
