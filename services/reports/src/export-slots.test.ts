import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExportSlots } from './export-slots.js';

const pieceBytes = 64 * 1024;

async function* endless() {
  for (;;) yield Buffer.alloc(pieceBytes);
}

describe('ExportSlots', () => {
  let leaving: AbortController;
  // Streams need the real `nextTick` and `setImmediate`.
  beforeEach(() => {
    leaving = new AbortController();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    leaving.abort();
    vi.useRealTimers();
  });

  it.each([
    ['another export of its client waits', 'is disconnected', 'slow'],
    ['one of another client waits for that client only', 'stays connected', 'other'],
  ])('a slow reader while %s, %s', async (_, outcome, waiting) => {
    const log = pino({ level: 'silent' });
    const slots = new ExportSlots({ maxExports: 4, stallTimeoutMs: 60_000, waitTimeoutMs: 600_000, log });
    const open = (key: string) => slots.open({ key, signal: leaving.signal }, async () => endless());
    const stream = (await open('slow')).on('error', () => undefined);
    for (let count = waiting === 'slow' ? 1 : 0; count < 2; count += 1)
      (await open(waiting)).on('error', () => undefined);
    open(waiting).catch(() => undefined);
    for (let second = 1; second <= 40; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (second % 5 === 0) stream.read();
      await turn();
    }
    expect(stream.destroyed ? 'is disconnected' : 'stays connected').toBe(outcome);
  });
});
