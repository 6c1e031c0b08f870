import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PaceOptions, pacedStream } from './paced-stream.js';

const pieceBytes = 64 * 1024;
const pace: PaceOptions = { stallTimeoutMs: 30_000, minBytesPerSecond: 32_768, rateWindowMs: 10_000 };

/** A source that records whether its reader has released it. */
function aSource(pieces: Iterable<string | Buffer>, failing?: Error) {
  const state = { isLeft: false };
  async function* read() {
    try {
      yield* pieces;
      if (failing) throw failing;
    } finally {
      state.isLeft = true;
    }
  }
  return { state, pieces: read() };
}

function* endless() {
  for (;;) yield Buffer.alloc(pieceBytes);
}

describe('pacedStream', () => {
  // Streams need the real `nextTick` and `setImmediate`.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  function open(given: PaceOptions = pace) {
    const source = aSource(endless());
    const onClosed = vi.fn();
    const stream = pacedStream(source.pieces, given, onClosed);
    const failed = once(stream, 'error').then(([error]: Error[]) => error?.name);
    const closed = once(stream, 'close');
    closed.catch(() => undefined);
    failed.catch(() => undefined);
    return { stream, source, onClosed, failed };
  }
  /** Advances the time second by second; the reader takes a piece every `everySeconds`. */
  async function readFor(seconds: number, stream: ReturnType<typeof open>['stream'], everySeconds: number) {
    for (let second = 1; second <= seconds && !stream.destroyed; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (second % everySeconds === 0) stream.read();
      await turn();
    }
  }

  it('a stream that is read to the end, is complete and closes after its source has ended', async () => {
    const texts = ['', 'Зяблик', 'x'.repeat(3 * pieceBytes + 1), Buffer.from('end')];
    const { state, pieces } = aSource(texts);
    const onClosed = vi.fn();
    const stream = pacedStream(pieces, pace, onClosed);
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part);
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
    expect(Buffer.concat(parts).toString()).toBe(texts.join(''));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(2 * pieceBytes);
    expect([state.isLeft, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('a reader that stalls is disconnected after the timeout, and the source is released', async () => {
    const { stream, source, onClosed, failed } = open();
    stream.read();
    await turn();
    await readFor(29, stream, 100);
    expect(stream.destroyed).toBe(false);
    await readFor(2, stream, 100);
    expect(await failed).toBe('SlowReaderError');
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
    expect(source.state.isLeft).toBe(true);
  });

  it('a stream that is never read is closed as well', async () => {
    const { stream, onClosed, failed } = open();
    await readFor(31, stream, 100);
    expect(await failed).toBe('SlowReaderError');
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
  });

  it('a slow reader is kept while no other caller waits, and disconnected when one does', async () => {
    let isWanted = false;
    const { stream, failed } = open({ ...pace, isWanted: () => isWanted });
    await readFor(300, stream, 5);
    expect(stream.destroyed).toBe(false);
    isWanted = true;
    await readFor(12, stream, 5);
    expect(await failed).toBe('SlowReaderError');
  });

  it('a reader at a fair rate is kept while others wait', async () => {
    const { stream } = open({ ...pace, isWanted: () => true });
    await readFor(120, stream, 1);
    expect(stream.destroyed).toBe(false);
    stream.destroy();
  });

  it('a slow source does not count against the reader', async () => {
    const gates: (() => void)[] = [];
    async function* slow() {
      await new Promise<void>((resolve) => gates.push(resolve));
      yield 'late';
    }
    const stream = pacedStream(slow(), { ...pace, isWanted: () => true });
    const read = stream.toArray();
    await turn();
    await vi.advanceTimersByTimeAsync(600_000);
    for (const open of gates) open();
    expect(Buffer.concat(await read).toString()).toBe('late');
  });

  it('a source that fails fails the stream and closes', async () => {
    const onClosed = vi.fn();
    const { pieces } = aSource(['x'], new Error('broken'));
    await expect(pacedStream(pieces, pace, onClosed).toArray()).rejects.toThrow('broken');
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
  });

  it('a stream destroyed before its first piece closes the source without starting it', async () => {
    const { stream, source, onClosed, failed } = open();
    stream.destroy(new Error('gone'));
    await failed;
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledTimes(1));
    expect(source.state.isLeft).toBe(false);
    expect(await source.pieces.next()).toEqual({ value: undefined, done: true });
  });
});
