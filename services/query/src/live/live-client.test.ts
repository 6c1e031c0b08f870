import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createLiveClient, type LiveSink, toBatch } from './live-client.js';
import type { LiveFrame, LiveName } from './live-frame.js';

const frame = (sequence: number, name: LiveName = 'motion'): LiveFrame => ({
  sequence,
  name,
  bytes: Buffer.from(`${sequence} `),
});
const batch = (...frames: LiveFrame[]) => toBatch(frames);

/** A socket of which the test says how much waits. */
class FakeSink extends EventEmitter {
  written: (string | Buffer)[] = [];
  writableLength = 0;
  writableNeedDrain = false;
  destroyed = false;
  write(block: string | Buffer) {
    this.written.push(block);
    return true;
  }
  end = vi.fn();
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

function setUp(wanted?: ReadonlySet<LiveName>) {
  const sink = new FakeSink();
  const client = createLiveClient(sink as unknown as LiveSink, wanted);
  client.open(10);
  sink.written = [];
  return { sink, client, text: () => sink.written.join('') };
}

describe('live client', () => {
  it('events that it lacks, go out as the very bytes that all get', () => {
    const { sink, client } = setUp();
    const news = batch(frame(11), frame(12));
    client.send(news);
    expect(sink.written[0]).toBe(news.bytes);
    expect(client.position).toBe(12);
  });

  it('events of which it has some, go out without those', () => {
    const { client, text } = setUp();
    client.send(batch(frame(9), frame(10), frame(11)));
    client.send(batch(frame(11)));
    expect(text()).toBe('11 ');
  });

  it('events that it did not ask for, are passed over and move its place along', () => {
    const { sink, client, text } = setUp(new Set(['job']));
    client.send(batch(frame(11), frame(12, 'job')));
    client.send(batch(frame(13)));
    expect([text(), client.position]).toEqual(['12 ', 13]);
    client.beat();
    expect(sink.written.at(-1)).toBe(':\nid: 13\n\n');
  });

  it('more waits than is borne, is let go and written to no more', () => {
    const { sink, client } = setUp();
    sink.writableLength = 1024 * 1024;
    client.send(batch(frame(11)));
    expect(sink.destroyed).toBe(false);
    sink.writableLength += 1;
    client.send(batch(frame(12)));
    expect(sink.destroyed).toBe(true);
    client.send(batch(frame(13)));
    expect(sink.written).toHaveLength(2);
  });

  it('a client that takes nothing of what waits for it over three heartbeats is let go', () => {
    const { sink, client } = setUp();
    for (const waits of [100, 50, 100, 110]) {
      sink.writableLength = waits;
      client.beat();
      expect(sink.destroyed, String(waits)).toBe(false);
    }
    sink.writableLength = 120;
    client.beat();
    expect(sink.destroyed).toBe(true);
  });

  it('drained, resolves at once, with the socket, or when it is gone', async () => {
    const { sink, client } = setUp();
    await client.drained();
    sink.writableNeedDrain = true;
    const drained = client.drained();
    sink.emit('drain');
    await drained;
    const gone = client.drained();
    sink.destroy();
    await gone;
    expect(sink.listenerCount('drain') + sink.listenerCount('close')).toBe(0);
  });

  it('drained, of a client that takes nothing for half a minute, lets it go', async () => {
    vi.useFakeTimers();
    const { sink, client } = setUp();
    sink.writableNeedDrain = true;
    const drained = client.drained();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(sink.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    expect(sink.destroyed).toBe(true);
    vi.useRealTimers();
  });
});
