import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, startTestNats, type TestDatabase, type TestNats } from '@birdhub/testing';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bus } from '../bus/index.js';
import { createOutboxRelay, type OutboxRelay, recordDeadLetter } from './index.js';

const subject = 'hub.v1.job.finished';
const waitOptions = { interval: 50 };

let database: TestDatabase;
let nats: TestNats;
let bus: Bus;
let logged: { level: string; msg: string }[];
let log: Logger;
let undo: (() => Promise<unknown>)[];

beforeEach(async () => {
  logged = [];
  undo = [];
  log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => void logged.push(JSON.parse(line)) },
  );
  database = await createTestDatabase();
  nats = await startTestNats();
  bus = new Bus({
    url: nats.url,
    name: 'test',
    log: pino({ level: 'silent' }),
    publishTimeoutMs: 1_000,
  });
});

afterEach(async () => {
  for (const step of undo.reverse()) await step();
  await bus.close();
  await Promise.all([nats.stop(), database.drop()]);
});

function startRelay(options: Partial<Parameters<typeof createOutboxRelay>[0]> = {}): OutboxRelay {
  const relay = createOutboxRelay({ pool: database.pool, bus, log, ...options });
  undo.push(() => relay.stop());
  relay.start();
  return relay;
}

/** The bus with another way to publish. */
const busThat = (publish: Bus['publish']): Pick<Bus, 'publish' | 'status' | 'onStatus'> => ({
  publish,
  status: () => bus.status(),
  onStatus: (listener) => bus.onStatus(listener),
});

/** Inserts numbered rows of one key: `kind` is the key, `job_id` counts up. */
async function insert(key: string, from: number, to: number, pool: pg.Pool = database.pool): Promise<void> {
  await pool.query(
    `INSERT INTO outbox (subject, ordering_key, payload, request_id)
     SELECT $1, $2, jsonb_build_object('job_id', n, 'kind', $2::text, 'state', 'done'), 'r1'
     FROM generate_series($3::int, $4::int) AS n ORDER BY n`,
    [subject, key, from, to],
  );
}

async function collect() {
  const byKey = new Map<string, number[]>();
  const ids = new Set<string>();
  const subscription = bus.subscribe({ subjects: 'hub.v1.>' }, (event) => {
    if (event.subject !== subject || ids.has(event.id)) return;
    ids.add(event.id);
    const { kind, job_id: jobId } = event.payload;
    byKey.set(kind, [...(byKey.get(kind) ?? []), jobId]);
  });
  await subscription.ready;
  return { byKey, ids };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function countRows(): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM outbox');
  return rows[0].count;
}

describe('outbox relay', () => {
  test('wake, after a committed row, publishes and removes it at once', async () => {
    const { byKey } = await collect();
    const relay = startRelay({ pollMs: 600_000 });
    await pause(100);
    await insert('video:1', 1, 1);
    relay.wake();
    await vi.waitFor(() => expect(byKey.get('video:1')).toEqual([1]), { interval: 5 });
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    expect(relay.pending()).toBe(0);
  });

  test('the relay, without change notices, polls', async () => {
    const { byKey } = await collect();
    startRelay({ pollMs: 100 });
    await pause(150);
    await insert('video:1', 1, 3);
    await vi.waitFor(() => expect(byKey.get('video:1')).toEqual([1, 2, 3]), waitOptions);
  });

  test('two relays, with several concurrent writers, publish everything, each key in order', async () => {
    const { byKey } = await collect();
    const relays = [startRelay({ pollMs: 50, batch: 16 }), startRelay({ pollMs: 50, batch: 16 })];
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const write = async (key: string) => {
      for (let from = 1; from <= 120; from += 4) {
        await insert(key, from, from + 3);
        for (const relay of relays) relay.wake();
      }
    };
    await Promise.all(keys.map(write));
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    await vi.waitFor(() => expect([...byKey.values()].flat()).toHaveLength(600), waitOptions);
    for (const key of keys) expect(byKey.get(key), key).toEqual(upTo(120));
  });

  test('a relay, with the broker away and a backlog of 5,000, delivers all later and logs two lines', async () => {
    const { byKey } = await collect();
    await nats.kill();
    const relay = startRelay({ pollMs: 100 });
    for (const key of upTo(50)) await insert(`video:${key}`, 1, 100);
    for (let wakes = 0; wakes < 50; wakes += 1) {
      relay.wake();
      await pause(50);
    }
    await vi.waitFor(() => expect(logged).toHaveLength(1), waitOptions);
    expect(relay.pending()).toBe(5_000);
    expect(await countRows()).toBe(5_000);
    await nats.start();
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    await vi.waitFor(() => expect([...byKey.values()].flat()).toHaveLength(5_000), waitOptions);
    for (const key of upTo(50)) expect(byKey.get(`video:${key}`), String(key)).toEqual(upTo(100));
    await vi.waitFor(() => expect(relay.pending()).toBe(0), waitOptions);
    const lines = logged.map(({ level, msg }) => `${level} ${msg}`);
    expect(lines).toEqual(['warn outbox cannot publish, retrying', 'info outbox is publishing again']);
  });

  test('a relay, with the broker killed while draining, publishes the rest in order', async () => {
    const { byKey } = await collect();
    for (const key of upTo(20)) await insert(`video:${key}`, 1, 100);
    startRelay({ batch: 64 });
    await vi.waitFor(() => expect(byKey.size).toBeGreaterThan(0), { interval: 1 });
    await nats.kill();
    await pause(300);
    await nats.start();
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    await vi.waitFor(() => expect([...byKey.values()].flat().length).toBe(2_000), waitOptions);
    for (const key of upTo(20)) expect(byKey.get(`video:${key}`), String(key)).toEqual(upTo(100));
  });

  test('a second relay, after the first lost its connections in a batch, loses nothing', async () => {
    const { byKey, ids } = await collect();
    for (const key of upTo(4)) await insert(`video:${key}`, 1, 25);
    const doomed = new pg.Pool({ connectionString: database.url, application_name: 'doomed' });
    doomed.on('error', () => {});
    let calls = 0;
    const slow = busThat(async (...args) => {
      calls += 1;
      await pause(20);
      await bus.publish(...args);
    });
    const first = createOutboxRelay({ pool: doomed, bus: slow, log });
    first.start();
    await vi.waitFor(() => expect(calls).toBeGreaterThan(20), { interval: 2 });
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed'`,
    );
    await first.stop();
    await doomed.end();
    expect(ids.size).toBeGreaterThan(0);
    expect(await countRows()).toBe(100);

    startRelay();
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    await vi.waitFor(() => expect([...byKey.values()].flat()).toHaveLength(100), waitOptions);
    for (const key of upTo(4)) expect(byKey.get(`video:${key}`), String(key)).toEqual(upTo(25));
  });

  test('a row that can never be published, becomes a dead letter, and those behind it are published', async () => {
    const { byKey } = await collect();
    await insert('video:1', 1, 1);
    await database.pool.query(
      `INSERT INTO outbox (subject, ordering_key, payload) VALUES
       ('${subject}', 'video:1', '{"job_id":"x"}'), ('hub.v1.no.such', 'video:1', '{}')`,
    );
    await insert('video:1', 2, 2);
    startRelay();
    await vi.waitFor(() => expect(byKey.get('video:1')).toEqual([1, 2]), waitOptions);
    await vi.waitFor(async () => expect(await countRows()).toBe(0), waitOptions);
    const { rows } = await database.pool.query(
      'SELECT consumer, subject, payload, error, attempts FROM dead_letter ORDER BY id',
    );
    expect(rows).toEqual([
      {
        consumer: 'outbox',
        subject,
        payload: { job_id: 'x' },
        error: expect.stringContaining("payload must have required property 'kind'"),
        attempts: 1,
      },
      {
        consumer: 'outbox',
        subject: 'hub.v1.no.such',
        payload: {},
        error: 'hub.v1.no.such: no such event',
        attempts: 1,
      },
    ]);
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  test('a key whose rows the broker refuses for now, does not delay the others', async () => {
    const { byKey } = await collect();
    await insert('stuck', 1, 10);
    await insert('free', 1, 10);
    const picky = busThat(async (...args) => {
      const [, payload] = args;
      if ('kind' in payload && payload.kind === 'stuck') throw new Error('not now');
      await bus.publish(...args);
    });
    const relay = startRelay({ bus: picky, batch: 4 });
    await vi.waitFor(() => expect(byKey.get('free')).toEqual(upTo(10)), waitOptions);
    await vi.waitFor(() => expect(relay.pending()).toBe(10), waitOptions);
    expect(byKey.has('stuck')).toBe(false);
    const { rows } = await database.pool.query('SELECT attempts, last_error FROM outbox ORDER BY id LIMIT 2');
    expect(rows[0]).toMatchObject({ last_error: 'not now' });
    expect(rows[1]).toEqual({ attempts: 0, last_error: null });
  });

  test('stop, with a backlog, ends after the batch and leaves the rest', async () => {
    await insert('video:1', 1, 2_000);
    const { ids } = await collect();
    const relay = startRelay({ batch: 10 });
    await vi.waitFor(() => expect(ids.size).toBeGreaterThan(0), { interval: 1 });
    await relay.stop();
    const left = await countRows();
    expect(left).toBeGreaterThan(0);
    await vi.waitFor(() => expect(ids.size).toBe(2_000 - left), waitOptions);
  });
});

describe('recordDeadLetter', () => {
  test('recordDeadLetter, the same letter again, updates the one row', async () => {
    const letter = { consumer: 'system-push', eventId: 'e1', subject, payload: { job_id: 1 }, attempts: 3 };
    await recordDeadLetter(database.pool, { ...letter, error: 'first' });
    await recordDeadLetter(database.pool, { ...letter, error: 'second' });
    const { rows } = await database.pool.query('SELECT event_id, error FROM dead_letter');
    expect(rows).toEqual([{ event_id: 'e1', error: 'second' }]);
  });

  test('recordDeadLetter, with characters that PostgreSQL cannot store, replaces them', async () => {
    const payload = { kind: 'a\u0000b\ud800c', path: '\\u0000', bird: '\u{1f426}' };
    const letter = { consumer: 'system-push', eventId: 'e2', subject, payload, attempts: 1 };
    await recordDeadLetter(database.pool, { ...letter, error: 'zero \u0000' });
    const { rows } = await database.pool.query('SELECT payload, error FROM dead_letter');
    expect(rows).toEqual([
      { payload: { kind: 'a\ufffdb\ufffdc', path: '\\u0000', bird: '\u{1f426}' }, error: 'zero \ufffd' },
    ]);
  });
});
