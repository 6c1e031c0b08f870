import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { Bus } from '@birdhub/shared/bus';
import { createMetrics } from '@birdhub/shared/metrics';
import { createOutboxRelay } from '@birdhub/shared/outbox';
import { systemClock } from '@birdhub/shared/time';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  startTestNats,
  type TestNats,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startQuery } from '../start.js';
import { type Listener, listen } from '../testing/listen.js';
import { liveRoutes } from './live.routes.js';
import { LiveEvents, type LiveEventsDeps } from './live-events.js';

const log = pino({ level: 'silent' });
const undo: (() => Promise<unknown>)[] = [];
let nats: TestNats;

beforeEach(async () => {
  nats = await startTestNats();
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  await nats.stop();
});

async function openBus(): Promise<Bus> {
  const bus = new Bus({ url: nats.url, name: 'test', log, publishTimeoutMs: 1_000 });
  undo.push(() => bus.close());
  return bus;
}

async function connectedBus(): Promise<Bus> {
  const bus = await openBus();
  await vi.waitUntil(() => bus.status() === 'ok');
  return bus;
}

/** A process of the query service with the event stream only. */
async function startLive(bus: Bus, options: Partial<LiveEventsDeps> = {}) {
  const app: HubApp = createApp({ log, metrics: createMetrics('query') });
  liveRoutes(app, { live: new LiveEvents({ bus, clock: systemClock, log, ...options }) });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close().finally(() => clearInterval(sweep));
  };
  undo.push(close);
  const url = `${address}/api/ui/events`;
  return { url, close, listen: (query = '', headers = {}) => listen(url + query, headers) };
}

const publish = (bus: Bus, jobId: number, kind = 'scan') =>
  vi.waitFor(() =>
    bus.publish('hub.v1.job.finished', { job_id: jobId, kind, state: 'done' }, { id: randomUUID() }),
  );
const publishMany = async (bus: Bus, from: number, to: number, kind?: string) => {
  for (let jobId = from; jobId <= to; jobId += 1) await publish(bus, jobId, kind);
};
const jobs = (listener: Listener) =>
  listener.events.filter((event) => event.name === 'job').map((event) => event.data.job_id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('GET /events', () => {
  it('a new client, gets the events from then on, with name and id', async () => {
    const bus = await connectedBus();
    await publish(bus, 1);
    const live = await startLive(bus);
    const listener = await live.listen();
    expect(listener.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    await publish(bus, 2);
    await bus.publish('hub.v1.settings.updated', { version: 5, keys: ['a.b'] }, { id: randomUUID() });
    expect(await listener.waitForEvents(2)).toEqual([
      { id: 2, name: 'job', data: { job_id: 2, kind: 'scan', state: 'done' } },
      { id: 3, name: 'settings', data: { version: 5 } },
    ]);
    expect(listener.text()).toMatch(/^retry: 2000\nid: 1\n\n/);
  });

  it('a client with a list of names, gets only these, and unknown names are refused', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus, { heartbeatMs: 50 });
    const listener = await live.listen('?types=settings,%20motion');
    await publish(bus, 1);
    await bus.publish('hub.v1.settings.updated', { version: 1, keys: [] }, { id: randomUUID() });
    await publish(bus, 2);
    await listener.waitForEvents(1);
    await vi.waitUntil(() => listener.lastEventId() === '3');
    expect(listener.events.map((event) => event.name)).toEqual(['settings']);
    const refused = await fetch(`${live.url}?types=visit_started,nonsense`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'invalid_request', details: [{ path: 'types' }] });
    expect((await fetch(`${live.url}?last_event_id=abc`)).status).toBe(400);
    const head = await fetch(live.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });

  it('a reconnecting client, gets the missed events from memory, by header or parameter', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus);
    const first = await live.listen();
    await publishMany(bus, 1, 5);
    await first.waitForEvents(5);
    const byHeader = await live.listen('?last_event_id=1', { 'last-event-id': '3' });
    const byQuery = await live.listen('?last_event_id=4');
    await publish(bus, 6);
    await byHeader.waitForEvents(3);
    await byQuery.waitForEvents(2);
    expect([jobs(byHeader), jobs(byQuery)]).toEqual([
      [4, 5, 6],
      [5, 6],
    ]);
  });

  it('a client that reconnects to another process, gets each missed event once while more arrive', async () => {
    const bus = await connectedBus();
    await publishMany(bus, 1, 300);
    const live = await startLive(await connectedBus());
    const more = publishMany(bus, 301, 600);
    const listeners = await Promise.all(
      [0, 5, 150, 299, 300].map((place) => live.listen('', { 'last-event-id': String(place) })),
    );
    await more;
    for (const [at, place] of [0, 5, 150, 299, 300].entries()) {
      const listener = listeners[at];
      await listener?.waitForEvents(600 - place);
      expect(listener && jobs(listener)).toEqual(range(place + 1, 600));
    }
    await publish(bus, 601);
    for (const listener of listeners) {
      await vi.waitUntil(() => jobs(listener).at(-1) === 601);
      expect(new Set(jobs(listener)).size).toBe(jobs(listener).length);
    }
  });

  it('a position that memory has dropped, is read from the stream until memory covers it', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus);
    const witness = await live.listen();
    const large = 'x'.repeat(20_000);
    await publishMany(bus, 1, 60, large);
    await witness.waitForEvents(60);
    const listener = await live.listen('', { 'last-event-id': '2' });
    await publishMany(bus, 61, 70);
    await listener.waitForEvents(68);
    expect(jobs(listener)).toEqual(range(3, 70));
  });

  it.each([
    ['older than the stream', '3'],
    ['beyond its end', '1000'],
    ['no number', 'abc'],
  ])('a position that is %s, leads to a reset and later events', async (_, place) => {
    const bus = await connectedBus();
    await publishMany(bus, 1, 10);
    await nats.forget(8);
    const live = await startLive(bus);
    const listener = await live.listen('', { 'last-event-id': place });
    await listener.waitForEvents(1);
    await publish(bus, 11);
    await listener.waitForEvents(2);
    expect(listener.events).toMatchObject([
      { name: 'reset', data: {}, id: 10 },
      { name: 'job', id: 11 },
    ]);
  });

  it('a client that missed more events than the replay limit, gets a reset and later events', async () => {
    const bus = await connectedBus();
    await publishMany(bus, 1, 30);
    const live = await startLive(bus, { replay: { maxEvents: 20 } });
    const [more, fewer] = await Promise.all(
      ['9', '10'].map((place) => live.listen('', { 'last-event-id': place })),
    );
    await more?.waitForEvents(1);
    await fewer?.waitForEvents(20);
    expect(fewer && jobs(fewer)).toEqual(range(11, 30));
    await publish(bus, 31);
    expect((await more?.waitForEvents(2))?.map(({ id, name }) => [id, name])).toEqual([
      [30, 'reset'],
      [31, 'job'],
    ]);
  });

  it('a client that missed events older than the replay limit, gets a reset', async () => {
    const bus = await connectedBus();
    await publishMany(bus, 1, 3);
    await pause(1_200);
    const live = await startLive(bus, { replay: { maxAgeMs: 1_000 } });
    const listener = await live.listen('', { 'last-event-id': '1' });
    await listener.waitForEvents(1);
    await publish(bus, 4);
    expect((await listener.waitForEvents(2)).map(({ id, name }) => [id, name])).toEqual([
      [3, 'reset'],
      [4, 'job'],
    ]);
  });

  it('a client whose replay takes too long, gets a reset', async () => {
    const bus = await connectedBus();
    await publishMany(bus, 1, 400, 'x'.repeat(60_000));
    const live = await startLive(bus, { replay: { timeoutMs: 1 } });
    const listener = await live.listen('', { 'last-event-id': '1' });
    await vi.waitUntil(() => listener.events.some(({ name }) => name === 'reset'));
    await publish(bus, 401);
    await vi.waitUntil(() => jobs(listener).at(-1) === 401);
    expect(jobs(listener).length).toBeLessThan(400);
  });

  it('a broker that restarts, keeps clients connected and all events', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus, { heartbeatMs: 100 });
    const listener = await live.listen();
    await publish(bus, 1);
    await listener.waitForEvents(1);
    await nats.kill();
    await vi.waitUntil(() => bus.status() === 'error');
    const late = await live.listen('', { 'last-event-id': '0' });
    await late.waitForEvents(1);
    const beats = listener.text().length;
    await vi.waitUntil(() => listener.text().length > beats);
    await nats.start();
    await publishMany(bus, 2, 4);
    await listener.waitForEvents(4);
    await late.waitForEvents(4);
    expect([jobs(listener), jobs(late)]).toEqual([range(1, 4), range(1, 4)]);
  });

  it('a broker that starts after the client, delivers events from then on', async () => {
    await nats.kill();
    const live = await startLive(await openBus());
    const listener = await live.listen();
    const resumed = await live.listen('', { 'last-event-id': '0' });
    await nats.start();
    // A separate bus, connected before that of the listeners.
    await publishMany(await connectedBus(), 1, 2);
    await listener.waitForEvents(2);
    await resumed.waitForEvents(2);
    expect([jobs(listener), jobs(resumed)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('a broker that lost its store, leads to a reset and later events', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus);
    const listener = await live.listen();
    await publishMany(bus, 1, 3);
    await listener.waitForEvents(3);
    await nats.kill();
    await nats.wipe();
    await nats.start();
    await publish(bus, 4);
    await listener.waitForEvents(5);
    expect(listener.events.map(({ id, name }) => [id, name])).toEqual([
      [1, 'job'],
      [2, 'job'],
      [3, 'job'],
      [0, 'reset'],
      [1, 'job'],
    ]);
  });

  it('a client that stalls, is disconnected while the others get all events', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus);
    const [slow, good] = [await live.listen(), await live.listen()];
    slow.pauseReading();
    // More than the sockets and the service buffer: a few large events, as each costs a round trip.
    for (const jobId of range(1, 50)) {
      await publish(bus, jobId, 'x'.repeat(400_000));
      // The other client is disconnected too if it falls behind.
      await good.waitForEvents(jobId);
    }
    expect(jobs(good)).toEqual(range(1, 50));
    const { text } = slow;
    await publish(bus, 51);
    await good.waitForEvents(51);
    expect(text()).not.toContain('"job_id":51');
    // Its socket was closed by the service: data in flight arrives, then the end.
    slow.resumeReading();
    await vi.waitUntil(() => slow.hasEnded());
    expect(jobs(slow).at(-1) ?? 0).toBeLessThan(50);
  });

  it('clients beyond the limit, are refused until one disconnects', async () => {
    const live = await startLive(await connectedBus(), { maxClients: 2 });
    const [one] = [await live.listen(), await live.listen()];
    const third = await fetch(live.url);
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await third.json()).toMatchObject({ code: 'overloaded' });
    one?.disconnect();
    await vi.waitFor(async () => expect((await live.listen()).status).toBe(200));
  });

  it('clients of one address beyond its limit, are refused until one disconnects, and others are not', async () => {
    const live = await startLive(await connectedBus());
    const own = { 'x-forwarded-for': '2001:db8:1:2::9' };
    const listeners = await Promise.all(Array.from({ length: 250 }, () => live.listen('', own)));
    expect(new Set(listeners.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await fetch(live.url, { headers: { 'x-forwarded-for': '2001:db8:1:2::10' } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await refused.json()).toMatchObject({ code: 'busy' });
    expect((await live.listen('', { 'x-forwarded-for': '192.0.2.9' })).status).toBe(200);
    listeners[0]?.disconnect();
    await vi.waitFor(async () => expect((await live.listen('', own)).status).toBe(200));
  });

  it('two hundred clients, get the same events and are disconnected when the service stops', async () => {
    const bus = await connectedBus();
    const live = await startLive(bus);
    const listeners = await Promise.all(
      Array.from({ length: 200 }, (_, at) => live.listen('', { 'x-forwarded-for': `192.0.2.${at + 1}` })),
    );
    await publishMany(bus, 1, 50);
    for (const listener of listeners) await listener.waitForEvents(50);
    expect(new Set(listeners.map((listener) => jobs(listener).join())).size).toBe(1);
    await live.close();
    await vi.waitUntil(() => listeners.every((listener) => listener.hasEnded()));
  });
});

const start = Date.UTC(2026, 4, 1, 8);

it('GET /events of a whole service, after posts and deletions, sends the committed events', async () => {
  const [database, nats] = [await createTestDatabase(), await startTestNats()];
  const service = await startQuery({
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    LOG_LEVEL: 'silent',
  });
  const bus = new Bus({ url: nats.url, name: 'test', log });
  const relay = createOutboxRelay({ pool: database.pool, bus, log });
  relay.start();
  const { writer } = createTestWriter(database.pool);
  try {
    const listener = await listen(`${service.url}/api/ui/events`);
    const { videoId } = await writer.post(aRecording({ start, videoPath: 'song.opus' }), 'test');
    await writer.post(aRecording({ start: start + 30_000 }), 'test');
    await writer.remove(videoId, { role: 'contributor', requestId: 'test' });
    relay.wake();
    await listener.waitForEvents(5);
    // Events of different recordings may be reordered.
    expect(listener.events.map((event) => event.name).toSorted()).toEqual([
      'recording',
      'recording',
      'recording_removed',
      'visit_extended',
      'visit_started',
    ]);
    const started = listener.events.find((event) => event.name === 'visit_started');
    const song = { video_id: videoId, media_kind: 'audio' };
    expect(started?.data).toMatchObject({ ...song, species_name: 'Great Tit' });
    expect(listener.events.find((event) => event.name === 'recording_removed')?.data).toMatchObject(song);
    expect(await (await fetch(`${service.url}/internal/readiness`)).json()).toMatchObject({ broker: 'ok' });
    await service.close();
    await vi.waitUntil(() => listener.hasEnded());
  } finally {
    await service.close();
    await relay.stop();
    await bus.close();
    await nats.stop();
    await database.drop();
  }
});
