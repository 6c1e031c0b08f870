import { EventEmitter } from 'node:events';
import type { BusEvent } from '@birdhub/shared/bus';
import type { EventMap, Subject } from '@birdhub/shared/events';
import { describe, expect, it, vi } from 'vitest';
import {
  heartbeatBlock,
  LiveClient,
  type LiveFrame,
  type LiveName,
  type LiveSink,
  openingBlock,
  resetBlock,
  toBatch,
  toFrame,
} from './live-client.js';

const frame = (sequence: number, name: LiveName = 'motion'): LiveFrame => ({
  sequence,
  name,
  bytes: Buffer.from(`${sequence} `),
});
const batch = (...frames: LiveFrame[]) => toBatch(frames);

/** A socket whose unsent bytes are set by the test. */
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
  const client = new LiveClient(sink as unknown as LiveSink, wanted);
  client.open(10);
  sink.written = [];
  return { sink, client, text: () => sink.written.join('') };
}

describe('live client', () => {
  it('a batch of new events, is written as the shared bytes', () => {
    const { sink, client } = setUp();
    const news = batch(frame(11), frame(12));
    client.send(news);
    expect(sink.written[0]).toBe(news.bytes);
    expect(client.position).toBe(12);
  });

  it('a batch with events already sent, is written without these', () => {
    const { client, text } = setUp();
    client.send(batch(frame(9), frame(10), frame(11)));
    client.send(batch(frame(11)));
    expect(text()).toBe('11 ');
  });

  it('events of other names, are skipped and advance its position', () => {
    const { sink, client, text } = setUp(new Set(['job']));
    client.send(batch(frame(11), frame(12, 'job')));
    client.send(batch(frame(13)));
    expect([text(), client.position]).toEqual(['12 ', 13]);
    client.beat();
    expect(sink.written.at(-1)).toBe(':\nid: 13\n\n');
  });

  it('more unsent bytes than the limit, disconnect the client', () => {
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

  it('a client that reads nothing over three heartbeats, is disconnected', () => {
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

  it('drained, resolves at once, when the socket drains, or when it closes', async () => {
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

  it('drained, for a client that reads nothing for half a minute, disconnects it', async () => {
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

function anEvent<S extends Subject>(subject: S, payload: EventMap[S]): BusEvent {
  const event = {
    id: 'x-1',
    subject,
    payload,
    requestId: 'secret-request',
    sequence: 12,
    redelivered: false,
    storedAt: 0,
  };
  return event as BusEvent;
}
const textOf = (event: BusEvent) => toFrame(event).bytes.toString();

describe('toFrame', () => {
  it('an event, has its id, its name and its data on one line', () => {
    const job = { job_id: 4, kind: 'scan\nagain', state: 'done' };
    const event = anEvent('hub.v1.job.finished', job);
    expect(textOf(event)).toBe(`id: 12\nevent: job\ndata: ${JSON.stringify(job)}\n\n`);
    expect(toFrame(event)).toMatchObject({ sequence: 12, name: 'job' });
  });

  it('changed settings, have their version but not their keys', () => {
    const event = anEvent('hub.v1.settings.updated', { version: 3, keys: ['secrets.ebird_api_key'] });
    expect(textOf(event)).toBe('id: 12\nevent: settings\ndata: {"version":3}\n\n');
  });

  it('an unknown field, is left out', () => {
    const payload = { notified_at: '2026-05-01T06:00:00Z', token: 'abc' };
    expect(textOf(anEvent('hub.v1.motion.notified', payload))).not.toContain('token');
  });
});

describe('a block without an event', () => {
  it.each([
    ['an opening', openingBlock(7), 'retry: 2000\nid: 7\n\n'],
    ['an opening of unknown place', openingBlock(undefined), 'retry: 2000\n\n'],
    ['a reset', resetBlock(7), 'id: 7\nevent: reset\ndata: {}\n\n'],
    [
      'a reset of unknown place, which makes the client forget its own',
      resetBlock(undefined),
      'id: \nevent: reset\ndata: {}\n\n',
    ],
    ['a heartbeat', heartbeatBlock(undefined), ':\n\n'],
    ['a heartbeat that moves the id', heartbeatBlock(9), ':\nid: 9\n\n'],
  ])('%s, is written according to the standard', (_, block, expected) => {
    expect(block).toBe(expected);
  });
});
