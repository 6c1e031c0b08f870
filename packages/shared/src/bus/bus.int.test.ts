import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestNats, type TestNats } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EventMap, SubjectPattern } from '../events/index.js';
import type { BusEvent, ConsumeOptions, DeadLetter } from './bus.js';
import { Bus } from './index.js';

const log = pino({ level: 'silent' });
const motion: EventMap['hub.v1.motion.notified'] = { notified_at: '2026-05-01T06:00:00Z' };
const job = (jobId: number): EventMap['hub.v1.job.finished'] => ({
  job_id: jobId,
  kind: 'scan',
  state: 'done',
});

function consumer<P extends SubjectPattern>(subject: P, changes: Partial<ConsumeOptions<P>> = {}) {
  const letters: DeadLetter[] = [];
  const options: ConsumeOptions<P> = {
    durable: `test-${randomUUID()}`,
    subject,
    deliver: 'new',
    maxDeliver: 3,
    backoffMs: [50, 200],
    concurrency: 1,
    onDeadLetter: async (letter) => void letters.push(letter),
    ...changes,
  };
  return { letters, options };
}

let nats: TestNats;
beforeAll(async () => {
  nats = await startTestNats();
});
afterAll(() => nats.stop());

describe('bus', () => {
  let bus: Bus;
  let sent = 0;

  beforeEach(() => {
    bus = new Bus({ url: nats.url, name: 'test', log });
  });
  afterEach(() => bus.close());

  const publishJob = (jobId: number, id: string = randomUUID()) => {
    sent += 1;
    return bus.publish('hub.v1.job.finished', job(jobId), { id, requestId: `request-${sent}` });
  };

  async function collect(durable: ConsumeOptions<'hub.v1.job.finished'>, count: number) {
    const events: BusEvent<'hub.v1.job.finished'>[] = [];
    const subscription = bus.consume(durable, (event) => void events.push(event));
    await subscription.ready;
    return {
      events,
      subscription,
      arrived: () => vi.waitFor(() => expect(events).toHaveLength(count), 5_000),
    };
  }

  test('publish, with a consumer of the subject, delivers id, payload, request id and sequence', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const { events, arrived } = await collect(options, 1);
    await bus.publish('hub.v1.motion.notified', motion, { id: randomUUID() });
    await bus.publish('hub.v1.job.finished', job(1), { id: 'outbox-1', requestId: 'r1' });
    await arrived();
    expect(events[0]).toMatchObject({
      id: 'outbox-1',
      subject: 'hub.v1.job.finished',
      payload: job(1),
      requestId: 'r1',
      redelivered: false,
    });
    expect(events[0]?.sequence).toBeGreaterThan(1);
    expect(Math.abs(Date.now() - (events[0]?.storedAt ?? 0))).toBeLessThan(600_000);
  });

  test('request, with a handler in a process, returns its reply', async () => {
    const handling = bus.handle('hub.cmd.v1.pictures.make', async ({ video_id }) => ({
      outcome: video_id === 7 ? 'made' : 'unmade',
    }));
    await handling.ready;
    const ask = (videoId: number) =>
      bus.request('hub.cmd.v1.pictures.make', { video_id: videoId }, 5_000).then((reply) => reply?.outcome);
    await vi.waitFor(async () => expect(await ask(7)).toBe('made'), 5_000);
    expect(await Promise.all([7, 8, 7].map(ask))).toEqual(['made', 'unmade', 'made']);
    await handling.close();
  });

  test('request, with a handler slower than the timeout, returns undefined', async () => {
    const handling = bus.handle('hub.cmd.v1.pictures.make', async () => {
      await pause(500);
      return { outcome: 'made' };
    });
    await handling.ready;
    const ask = () => bus.request('hub.cmd.v1.pictures.make', { video_id: 1 }, 100);
    await vi.waitFor(async () => expect(await ask()).toBeUndefined(), 5_000);
    await handling.close();
  });

  test('request, without a handler, rejects at once', async () => {
    await vi.waitFor(async () => {
      const reply = bus.request('hub.cmd.v1.pictures.make', { video_id: 1 }, 60_000);
      await expect(reply).rejects.toThrow(/no reply/);
    }, 5_000);
  });

  test('publish, with the same id again, stores the event once', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const { events, arrived } = await collect(options, 2);
    const id = randomUUID();
    await publishJob(1, id);
    await publishJob(1, id);
    await publishJob(2);
    await arrived();
    expect(events.map((event) => event.payload.job_id)).toEqual([1, 2]);
  });

  test('publish, with a payload that does not match the catalogue, rejects and stores nothing', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const { events, arrived } = await collect(options, 1);
    const wrong = {
      job_id: 'one',
      kind: 'scan',
      state: 'done',
    } as unknown as EventMap['hub.v1.job.finished'];
    const publishing = bus.publish('hub.v1.job.finished', wrong, { id: randomUUID() });
    await expect(publishing).rejects.toThrow('payload/job_id must be integer');
    // @ts-expect-error a payload of another subject does not compile
    await expect(bus.publish('hub.v1.job.finished', motion, { id: 'x' })).rejects.toThrow('job_id');
    await publishJob(7);
    await arrived();
    expect(events[0]?.payload.job_id).toBe(7);
  });

  test('consume, with deliver all or new, begins with the first event or after the last', async () => {
    const first = randomUUID();
    await publishJob(1, first);
    const all = await collect(consumer('hub.v1.job.finished', { deliver: 'all' }).options, 0);
    const late = await collect(consumer('hub.v1.job.finished', { deliver: 'new' }).options, 1);
    const last = randomUUID();
    await publishJob(2, last);
    await vi.waitFor(() => expect(all.events.map((event) => event.id)).toContain(last), 5_000);
    await late.arrived();
    expect(all.events.map((event) => event.id)).toContain(first);
    expect(late.events.map((event) => event.id)).toEqual([last]);
  });

  test('consume, with a handler that throws, delivers the event again after growing pauses', async () => {
    const { options, letters } = consumer('hub.v1.job.finished');
    const calls: { at: number; redelivered: boolean }[] = [];
    const subscription = bus.consume(options, ({ redelivered }) => {
      calls.push({ at: Date.now(), redelivered });
      if (calls.length < 3) throw new Error('not yet');
    });
    await subscription.ready;
    await publishJob(1);
    await vi.waitFor(() => expect(calls).toHaveLength(3), 5_000);
    const [first, second, third] = calls.map((call) => call.at) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(45);
    expect(third - second).toBeGreaterThanOrEqual(190);
    expect(calls.map((call) => call.redelivered)).toEqual([false, true, true]);
    expect(letters).toEqual([]);
  });

  test('consume, after the maximum number of attempts, hands over a dead letter and continues', async () => {
    const { options, letters } = consumer('hub.v1.job.finished');
    const tried: number[] = [];
    const subscription = bus.consume(options, ({ payload }) => {
      tried.push(payload.job_id);
      if (payload.job_id === 1) throw new Error('bird not found');
    });
    await subscription.ready;
    const id = randomUUID();
    await publishJob(1, id);
    await publishJob(2);
    await vi.waitFor(() => expect(tried).toContain(2), 5_000);
    expect(tried).toEqual([1, 1, 1, 2]);
    expect(letters).toEqual([
      {
        consumer: options.durable,
        eventId: id,
        subject: 'hub.v1.job.finished',
        payload: job(1),
        error: 'bird not found',
        attempts: 3,
      },
    ]);
  });

  test('consume, with a dead letter that cannot be stored, hands it over again without another attempt', async () => {
    const kept: DeadLetter[] = [];
    let refusals = 0;
    const { options } = consumer('hub.v1.job.finished', {
      maxDeliver: 1,
      onDeadLetter: async (letter) => {
        refusals += 1;
        if (refusals < 3) throw new Error('database away');
        kept.push(letter);
      },
    });
    let attempts = 0;
    const subscription = bus.consume(options, () => {
      attempts += 1;
      throw new Error('no');
    });
    await subscription.ready;
    await publishJob(1);
    await vi.waitFor(() => expect(kept).toHaveLength(1), 5_000);
    expect(kept[0]).toMatchObject({ error: 'no', attempts: 1 });
    expect(attempts).toBe(1);
  });

  test('consume, one at a time with a failure in between, keeps the order', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const handled: number[] = [];
    let hasFailed = false;
    const subscription = bus.consume(options, async ({ payload }) => {
      await pause(payload.job_id % 3);
      if (payload.job_id === 5 && !hasFailed) {
        hasFailed = true;
        throw new Error('once');
      }
      handled.push(payload.job_id);
    });
    await subscription.ready;
    for (let jobId = 1; jobId <= 30; jobId += 1) await publishJob(jobId);
    await vi.waitFor(() => expect(handled).toHaveLength(30), 5_000);
    expect(handled).toEqual(Array.from({ length: 30 }, (_item, index) => index + 1));
  });

  test('consume, with several at a time, handles that many at once and is not delayed by a failure', async () => {
    const { options } = consumer('hub.v1.job.finished', { concurrency: 3, backoffMs: [60_000] });
    const handled: number[] = [];
    let running = 0;
    let maxRunning = 0;
    const subscription = bus.consume(options, async ({ payload }) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await pause(30);
      running -= 1;
      if (payload.job_id === 1) throw new Error('always');
      handled.push(payload.job_id);
    });
    await subscription.ready;
    for (let jobId = 1; jobId <= 12; jobId += 1) await publishJob(jobId);
    await vi.waitFor(() => expect(handled).toHaveLength(11), 20_000);
    expect(maxRunning).toBe(3);
  });

  test('consume, with two subscriptions of one durable, shares the events between them', async () => {
    const { options } = consumer('hub.v1.job.finished', { concurrency: 2 });
    const one = await collect(options, 0);
    const two = await collect(options, 0);
    for (let jobId = 1; jobId <= 40; jobId += 1) await publishJob(jobId);
    const handled = () => [...one.events, ...two.events].map((event) => event.payload.job_id);
    await vi.waitFor(() => expect(handled()).toHaveLength(40), 5_000);
    expect(new Set(handled()).size).toBe(40);
  });

  test('consume, closed and opened again, continues at its position', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const before = await collect(options, 1);
    await publishJob(1);
    await before.arrived();
    await before.subscription.close();
    await publishJob(2);
    const after = await collect(options, 1);
    await after.arrived();
    expect(after.events.map((event) => event.payload.job_id)).toEqual([2]);
    expect(before.events).toHaveLength(1);
  });

  test('consume, with a pattern of one entity, delivers its subjects only', async () => {
    const { options } = consumer('hub.v1.job.*');
    const subjects: string[] = [];
    await bus.consume(options, ({ subject }) => void subjects.push(subject)).ready;
    await bus.publish('hub.v1.motion.notified', motion, { id: randomUUID() });
    await publishJob(1);
    await vi.waitFor(() => expect(subjects).toEqual(['hub.v1.job.finished']), 5_000);
  });

  test('subscribe, resumed after a sequence, delivers the rest without a gap', async () => {
    const seen: number[] = [];
    const jobs: number[] = [];
    const first = bus.subscribe({ subjects: 'hub.v1.>' }, (event) => {
      seen.push(event.sequence);
      if (event.subject === 'hub.v1.job.finished') jobs.push(event.payload.job_id);
    });
    await first.ready;
    for (let jobId = 1; jobId <= 20; jobId += 1) await publishJob(jobId);
    await vi.waitFor(() => expect(jobs).toHaveLength(20), 5_000);
    await first.close();
    const fromSequence = (seen[9] ?? 0) + 1;
    const resumed: number[] = [];
    const second = bus.subscribe({ subjects: 'hub.v1.>', fromSequence }, ({ sequence }) => {
      resumed.push(sequence);
    });
    await publishJob(21);
    await vi.waitFor(() => expect(resumed).toHaveLength(11), 5_000);
    const expected = Array.from({ length: 11 }, (_item, index) => fromSequence + index);
    expect(resumed).toEqual(expected);
    await second.close();
  });

  test('subscribe, with a position of a lost stream, begins with the first event', async () => {
    await publishJob(1);
    const seen: number[] = [];
    const { close } = bus.subscribe({ subjects: 'hub.v1.>', fromSequence: 1_000_000 }, (event) => {
      seen.push(event.sequence);
    });
    await vi.waitFor(() => expect(seen[0]).toBe(1), 5_000);
    await close();
  });

  test('subscribe, from an instant, delivers what was stored since then and new events', async () => {
    await publishJob(31);
    await pause(20);
    const fromTime = Date.now();
    await pause(20);
    await publishJob(32);
    const seen: number[] = [];
    const options = { subjects: 'hub.v1.job.*' as const, fromTime };
    const { ready, close } = bus.subscribe(options, ({ payload }) => void seen.push(payload.job_id));
    await ready;
    await publishJob(33);
    await vi.waitFor(() => expect(seen).toEqual([32, 33]), 5_000);
    await close();
  });

  test('extent, after events, returns the first and the last sequence', async () => {
    await publishJob(1);
    const before = await bus.extent();
    await publishJob(2);
    expect(await bus.extent()).toEqual({ first: 1, last: before.last + 1 });
  });

  test('subscribe, with a handler that throws, delivers the next event', async () => {
    const seen: number[] = [];
    const { ready } = bus.subscribe({ subjects: 'hub.v1.job.*' }, ({ payload }) => {
      seen.push(payload.job_id);
      throw new Error('page is gone');
    });
    await ready;
    await publishJob(1);
    await publishJob(2);
    await vi.waitFor(() => expect(seen).toEqual([1, 2]), 5_000);
  });

  test('close, with a handler running, waits for it and leaves the rest', async () => {
    const { options } = consumer('hub.v1.job.finished');
    const begun: number[] = [];
    const done: number[] = [];
    const subscription = bus.consume(options, async ({ payload }) => {
      begun.push(payload.job_id);
      await pause(150);
      done.push(payload.job_id);
    });
    await subscription.ready;
    await publishJob(1);
    await publishJob(2);
    await vi.waitFor(() => expect(begun).toEqual([1]), 5_000);
    await subscription.close();
    expect(done).toEqual([1]);
    const rest = await collect(options, 1);
    await rest.arrived();
    expect(rest.events[0]?.payload.job_id).toBe(2);
  });

  test('sendCommand, with a payload that does not match the catalogue, rejects', async () => {
    const payload = { command_id: 0, requested_at: '2026-05-01T06:00:00Z' };
    await expect(bus.sendCommand('hub.cmd.v1.processor.restart', payload)).rejects.toThrow('command_id');
    const right = bus.sendCommand('hub.cmd.v1.processor.restart', { ...payload, command_id: 1 });
    await expect(right).resolves.toBeUndefined();
  });
});
