import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestNats, type TestNats } from '@birdhub/testing';
import { connect, JSONCodec } from 'nats';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EventMap } from '../events/index.js';
import type { ConsumeOptions, DeadLetter } from './bus.js';
import { Bus } from './index.js';

const subject = 'hub.v1.job.finished';
const job = (jobId: number): EventMap[typeof subject] => ({ job_id: jobId, kind: 'scan', state: 'done' });
const waitOptions = { interval: 50 };

let nats: TestNats;
let logged: { level: string; msg: string }[];
const open: Bus[] = [];

function createBus(url = nats.url): Bus {
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void logged.push(JSON.parse(line)) },
  );
  const bus = new Bus({ url, name: 'test', log, publishTimeoutMs: 1_000 });
  open.push(bus);
  return bus;
}

function options(changes: Partial<ConsumeOptions<typeof subject>> = {}): ConsumeOptions<typeof subject> {
  return {
    durable: 'test-jobs',
    subject,
    deliver: 'new',
    maxDeliver: 3,
    backoffMs: [50],
    concurrency: 1,
    onDeadLetter: async () => {},
    ...changes,
  };
}

/** Publishes until the broker accepts the event, as the outbox does. */
async function publish(bus: Bus, jobId: number): Promise<void> {
  const id = randomUUID();
  await vi.waitFor(() => bus.publish(subject, job(jobId), { id }), waitOptions);
}

beforeEach(async () => {
  logged = [];
  nats = await startTestNats();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.close()));
  await nats.stop();
});

describe('nats bus', () => {
  test('consume, with a durable that replaces an earlier one, deletes the earlier one', async () => {
    const bus = createBus();
    await bus.consume(options({ durable: 'test-earlier' }), () => {}).ready;
    const connection = await connect({ servers: nats.url });
    const jsm = await connection.jetstreamManager();
    const names = async () => (await jsm.consumers.list('HUB').next()).map(({ name }) => name).sort();
    expect(await names()).toEqual(['test-earlier']);
    await createBus().consume(options({ durable: 'test-later', replaces: 'test-earlier' }), () => {}).ready;
    expect(await names()).toEqual(['test-later']);
    await connection.close();
  });

  test('Bus, without a broker, still starts, refuses to publish and closes', async () => {
    await nats.kill();
    const bus = createBus();
    const subscription = bus.consume(options(), () => {});
    const publishing = bus.publish(subject, job(1), { id: '1' });
    await expect(publishing).rejects.toMatchObject({ name: 'BusUnavailableError' });
    expect(bus.status()).toBe('error');
    await bus.close();
    await subscription.ready;
    await expect(bus.extent()).rejects.toMatchObject({ name: 'BusUnavailableError' });
    expect(logged.map(({ msg }) => msg)).toEqual(['broker not reachable, events are queued']);
  });

  test('Bus, with a broker that starts later, connects by itself', async () => {
    await nats.kill();
    const bus = createBus();
    const statuses: string[] = [];
    bus.onStatus((status) => statuses.push(status));
    const seen: number[] = [];
    const subscription = bus.consume(options(), ({ payload }) => void seen.push(payload.job_id));
    await pause(300);
    await nats.start();
    await subscription.ready;
    await publish(bus, 1);
    await vi.waitFor(() => expect(seen).toEqual([1]), waitOptions);
    expect(statuses).toEqual(['ok']);
  });

  test('publisher and consumers, after the broker was killed and restarted, continue and miss nothing', async () => {
    const [publisher, reader] = [createBus(), createBus()];
    const durable: number[] = [];
    const live: number[] = [];
    const consuming = reader.consume(options(), ({ payload }) => void durable.push(payload.job_id));
    const watching = reader.subscribe({ subjects: 'hub.v1.>' }, (event) => {
      if (event.subject === subject) live.push(event.payload.job_id);
    });
    await Promise.all([consuming.ready, watching.ready]);
    await publish(publisher, 1);
    await vi.waitFor(() => expect(durable).toEqual([1]), waitOptions);
    const statuses: string[] = [];
    publisher.onStatus((status) => statuses.push(status));

    await nats.kill();
    const refused = publisher.publish(subject, job(99), { id: '99' });
    await expect(refused).rejects.toMatchObject({ name: 'BusUnavailableError' });
    expect(publisher.status()).toBe('error');
    await nats.start();
    for (const jobId of [2, 3, 4]) await publish(publisher, jobId);

    // The broker may have died before it stored the acknowledgement of the first event.
    await vi.waitFor(() => expect([...new Set(durable)]).toEqual([1, 2, 3, 4]), waitOptions);
    await vi.waitFor(() => expect(live).toEqual([1, 2, 3, 4]), waitOptions);
    expect(statuses).toEqual(['error', 'ok']);
    expect(logged.map(({ msg }) => msg)).toContain('broker reachable again');
  }, 60_000);

  test('a consumer, after a restart of the broker in its absence, receives what it missed', async () => {
    const reader = createBus();
    await reader.consume(options(), () => {}).ready;
    await reader.close();
    const publisher = createBus();
    for (const jobId of [1, 2]) await publish(publisher, jobId);
    await nats.kill();
    await nats.start();
    const seen: number[] = [];
    createBus().consume(options(), ({ payload }) => void seen.push(payload.job_id));
    await vi.waitFor(() => expect(seen).toEqual([1, 2]), waitOptions);
  });

  test('stream and consumers, after the broker lost its store, are created again and receive new events', async () => {
    const bus = createBus();
    const durable: number[] = [];
    const live: number[] = [];
    const consuming = bus.consume(options(), ({ payload }) => void durable.push(payload.job_id));
    const watching = bus.subscribe({ subjects: 'hub.v1.job.*' }, ({ payload }) => {
      live.push(payload.job_id);
    });
    await Promise.all([consuming.ready, watching.ready]);
    for (const jobId of [1, 2, 3]) await publish(bus, jobId);
    await vi.waitFor(
      () =>
        expect([durable, live]).toEqual([
          [1, 2, 3],
          [1, 2, 3],
        ]),
      waitOptions,
    );

    await nats.kill();
    await nats.wipe();
    await nats.start();
    // From another bus: its events may come before the consumers exist again, and must still reach them.
    await publish(createBus(), 4);
    await publish(bus, 5);
    await vi.waitFor(
      () =>
        expect([durable, live]).toEqual([
          [1, 2, 3, 4, 5],
          [1, 2, 3, 4, 5],
        ]),
      waitOptions,
    );
  });

  test('a deleted consumer, is created again after the last event', async () => {
    const bus = createBus();
    const seen: number[] = [];
    await bus.consume(options({ deliver: 'all' }), ({ payload }) => void seen.push(payload.job_id)).ready;
    await publish(bus, 1);
    await vi.waitFor(() => expect(seen).toEqual([1]), waitOptions);
    const admin = await connect({ servers: nats.url });
    await (await admin.jetstreamManager()).consumers.delete('HUB', 'test-jobs');
    await publish(bus, 2);
    await vi.waitFor(() => expect(seen).toEqual([1, 2]), waitOptions);
    await admin.close();
  });

  test('publish, after the stream was deleted, creates it again', async () => {
    const bus = createBus();
    const seen: number[] = [];
    await bus.consume(options(), ({ payload }) => void seen.push(payload.job_id)).ready;
    const admin = await connect({ servers: nats.url });
    await (await admin.jetstreamManager()).streams.delete('HUB');
    await bus.publish(subject, job(1), { id: '1' });
    await vi.waitFor(() => expect(seen).toEqual([1]), waitOptions);
    await admin.close();
  });

  test('an event in progress in a killed process, is delivered to another after the acknowledgement timeout', async () => {
    const first = createBus();
    let begun = 0;
    const stuck = first.consume(options({ concurrency: 2 }), () => {
      begun += 1;
      return new Promise<void>(() => {});
    });
    await stuck.ready;
    await publish(first, 1);
    await vi.waitFor(() => expect(begun).toBe(1), waitOptions);
    open.splice(0);
    // As after kill -9: it pulls no more, and its events in progress are never acknowledged.
    void first.close();
    await nats.kill();
    await nats.start();
    const seen: boolean[] = [];
    createBus().consume(options({ concurrency: 2 }), ({ redelivered }) => void seen.push(redelivered));
    await vi.waitFor(() => expect(seen).toContain(true), { interval: 100 });
  }, 60_000);

  test('a consumer, with an invalid payload on the stream, is not called, and a dead letter is kept', async () => {
    const bus = createBus();
    const letters: DeadLetter[] = [];
    const handler = vi.fn();
    const onDeadLetter = async (letter: DeadLetter) => void letters.push(letter);
    await bus.consume(options({ onDeadLetter }), handler).ready;
    const stranger = await connect({ servers: nats.url });
    await stranger.jetstream().publish(subject, JSONCodec().encode({ job_id: 'x' }), { msgID: 'm1' });
    await stranger.jetstream().publish(subject, 'no json', { msgID: 'm2' });
    await vi.waitFor(() => expect(letters).toHaveLength(2), waitOptions);
    expect(letters).toMatchObject([
      { eventId: 'm1', payload: { job_id: 'x' }, attempts: 1 },
      { eventId: 'm2', payload: 'no json', attempts: 1 },
    ]);
    expect(handler).not.toHaveBeenCalled();
    await stranger.close();
  });

  test('a consumer of all subjects, with an event of a newer service, skips it', async () => {
    const bus = createBus();
    const seen: string[] = [];
    const letters: DeadLetter[] = [];
    const everything = { ...options(), subject: 'hub.v1.>' as const };
    const onDeadLetter = async (letter: DeadLetter) => void letters.push(letter);
    await bus.consume({ ...everything, onDeadLetter }, (event) => void seen.push(event.subject)).ready;
    const newer = await connect({ servers: nats.url });
    await newer.jetstream().publish('hub.v1.weather.forecast', '{}');
    await publish(bus, 1);
    await vi.waitFor(() => expect(seen).toEqual([subject]), waitOptions);
    expect(letters).toEqual([]);
    await newer.close();
  });

  test('publish, with a payload larger than the broker accepts, rejects as invalid', async () => {
    const huge = { ...job(1), kind: 'x'.repeat(2_000_000) };
    const publishing = createBus().publish(subject, huge, { id: '1' });
    await expect(publishing).rejects.toMatchObject({ name: 'InvalidEventError' });
  });

  test('a new stream, has the limits of the hub and keeps settings of an operator', async () => {
    const bus = createBus();
    await publish(bus, 1);
    const admin = await connect({ servers: nats.url });
    const { streams } = await admin.jetstreamManager();
    const { config } = await streams.info('HUB');
    expect(config).toMatchObject({
      subjects: ['hub.v1.>'],
      storage: 'file',
      max_age: 7 * 24 * 3_600_000 * 1e6,
      duplicate_window: 120_000 * 1e6,
      max_bytes: 512 * 1024 * 1024,
      discard: 'old',
    });
    await streams.update('HUB', { max_age: 1e9 * 3_600, max_bytes: 50_000_000 });
    await publish(createBus(), 2);
    const { config: after } = await streams.info('HUB');
    expect(after).toMatchObject({ max_age: config.max_age, max_bytes: 50_000_000 });
    await admin.close();
  });

  test('a stream without a maximum size, gets that of the hub', async () => {
    const admin = await connect({ servers: nats.url });
    const { streams } = await admin.jetstreamManager();
    await streams.add({ name: 'HUB', subjects: ['hub.v1.>'] });
    await publish(createBus(), 1);
    const { config } = await streams.info('HUB');
    expect(config).toMatchObject({ max_bytes: 512 * 1024 * 1024, discard: 'old' });
    await admin.close();
  });

  test('a stream on a broker with less space, gets a lower maximum size', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'birdhub-nats-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'nats.conf');
    await writeFile(file, 'jetstream { max_file_store: 200MB }');
    await nats.stop();
    nats = await startTestNats(['-c', file]);
    await publish(createBus(), 1);
    const admin = await connect({ servers: nats.url });
    const { config } = await (await admin.jetstreamManager()).streams.info('HUB');
    expect(config.max_bytes).toBe(128 * 1024 * 1024);
    await admin.close();
  });

  test('a consumer, when events that it has not read are discarded, continues with the oldest one', async () => {
    const reader = createBus();
    await reader.consume(options(), () => {}).ready;
    await reader.close();
    const publisher = createBus();
    await publish(publisher, 1);
    const admin = await connect({ servers: nats.url });
    await (await admin.jetstreamManager()).streams.update('HUB', { max_msgs: 2 });
    for (const jobId of [2, 3]) await publish(publisher, jobId);
    const seen: number[] = [];
    createBus().consume(options(), ({ payload }) => void seen.push(payload.job_id));
    await vi.waitFor(() => expect(seen).toEqual([2, 3]), waitOptions);
    await admin.close();
  });

  test('sendCommand, with a listener, delivers it outside the stream', async () => {
    const processor = await connect({ servers: nats.url });
    const received = new Promise<unknown>((resolve) => {
      processor.subscribe('hub.cmd.v1.>', { callback: (_, message) => resolve(message.json()) });
    });
    await processor.flush();
    const command = { command_id: 4, requested_at: '2026-05-01T06:00:00Z' };
    await createBus().sendCommand('hub.cmd.v1.processor.restart', command);
    expect(await received).toEqual(command);
    const { state } = await (await processor.jetstreamManager()).streams.info('HUB');
    expect(state.messages).toBe(0);
    await processor.close();
  });
});

describe('nats bus with credentials', () => {
  const cases: [string, string[], (url: string) => string][] = [
    ['user and password', ['--user', 'hub', '--pass', 'p@ss'], (url) => url.replace('//', '//hub:p%40ss@')],
    ['token', ['--auth', 's3cret'], (url) => url.replace('//', '//s3cret@')],
    ['several servers', [], (url) => `nats://127.0.0.1:1,${url}`],
  ];

  test.each(cases)('Bus, %s in the address, connects', async (_, args, address) => {
    await nats.stop();
    nats = await startTestNats(args);
    await publish(createBus(address(nats.url)), 1);
  });

  test('Bus, with a wrong password, keeps trying', async () => {
    await nats.stop();
    nats = await startTestNats(['--user', 'hub', '--pass', 'right']);
    const bus = createBus(nats.url.replace('//', '//hub:wrong@'));
    await pause(1_500);
    expect(bus.status()).toBe('error');
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('wrong@');
  });
});
