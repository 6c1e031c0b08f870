import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { settleAll } from './settle-all.js';

test('settleAll, when all succeed, returns their results in order', async () => {
  expect(await settleAll([setImmediate(1), Promise.resolve(2)])).toEqual([1, 2]);
});

test('settleAll, when one fails, throws its error after the others have settled', async () => {
  let isDone = false;
  const slow = setImmediate().then(() => {
    isDone = true;
  });
  await expect(settleAll([Promise.reject(new Error('failed')), slow])).rejects.toThrow('failed');
  expect(isDone).toBe(true);
});
