import { expect, test } from 'vitest';
import { createTurns } from './in-turn.js';

test('createTurns, work of one key and of another, waits for its own only, and goes on after a failure', async () => {
  const inTurn = createTurns();
  const log: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn('a', async () => {
    await held;
    log.push('a1');
    throw new Error('failed');
  });
  const second = inTurn('a', async () => void log.push('a2'));
  await inTurn('b', async () => void log.push('b1'));
  release();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(log).toEqual(['b1', 'a1', 'a2']);
});
