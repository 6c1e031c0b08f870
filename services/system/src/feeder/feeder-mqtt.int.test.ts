import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { type ManualClock, manualClock } from '@birdhub/shared/time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestFeeder, storeSettings, type TestFeeder } from '../testing/create-test-feeder.js';
import { type BrokerListener, startTestBroker, type TestBroker } from '../testing/test-broker.js';

const now = Date.UTC(2026, 4, 1, 12);
const topic = 'cmnd/drum/Power';
const soon = { timeout: 8_000, interval: 20 };

describe('POST /feed/dispense, by MQTT', () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let listener: BrokerListener;
  let clock: ManualClock;
  let hub: TestFeeder;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE activity_log, open_feeder');
    broker = await startTestBroker();
    listener = await broker.listen();
    clock = manualClock(now);
    await configure();
    hub = await connect();
  });
  afterEach(async () => {
    await hub.close();
    await listener.close();
    await broker.kill();
  });
  afterAll(() => database.drop());

  const configure = (feed: object = {}, mqtt: object = {}) =>
    storeSettings(database.pool, {
      mqtt: { broker: '127.0.0.1', port: broker.port, ...mqtt },
      feed: { source: 'mqtt', mqtt_topic: topic, duration_seconds: 0.2, ...feed },
    });
  async function connect(): Promise<TestFeeder> {
    const feeder = createTestFeeder(database.pool, clock);
    await vi.waitFor(() => expect(feeder.mqtt.state()).toBe('ok'), soon);
    return feeder;
  }
  const words = () => listener.seen.filter((seen) => seen.topic === topic).map(({ payload }) => payload);
  const rows = async (sql: string) => (await database.pool.query(sql)).rows;
  const openRows = async () => (await rows('SELECT device FROM open_feeder')).map(({ device }) => device);
  const noted = () => rows('SELECT type, data FROM activity_log ORDER BY id');
  const heard = (expected: string[]) => vi.waitFor(() => expect(words()).toEqual(expected), soon);

  it('opens, waits, closes and takes it down', async () => {
    const since = Date.now();
    const { status, body } = await hub.post();
    expect(Date.now() - since).toBeGreaterThanOrEqual(200);
    expect([status, body]).toEqual([
      200,
      { message: expect.any(String), dispensed_at: '2026-05-01T12:00:00.000Z' },
    ]);
    await heard(['ON', 'OFF']);
    expect(await noted()).toEqual([
      {
        type: 'feed_dispense',
        data: { by: 'admin', source: 'mqtt', dispensed_at: '2026-05-01T12:00:00.000Z', ok: true },
      },
    ]);
    expect(await openRows()).toEqual([]);
  });

  it('asked by an assistant, takes down by whom', async () => {
    await hub.post('mcp');
    expect((await noted())[0]?.data.by).toBe('mcp');
  });

  it('while it is open, is in the database before it is opened', async () => {
    await configure({ duration_seconds: 1 });
    hub.settings.forget();
    const answer = hub.post();
    await heard(['ON']);
    expect(await openRows()).toEqual([{ kind: 'mqtt', topic }]);
    await answer;
    expect(await openRows()).toEqual([]);
  });

  it('two at once, at two services, are one portion', async () => {
    const other = await connect();
    const answers = await Promise.all([hub.post(), other.post()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'dispense_in_progress',
    });
    await heard(['ON', 'OFF']);
    await other.close();
  });

  it('too early, is refused with the seconds to wait, at every service, until the cooldown is over', async () => {
    await hub.post();
    clock.advance(9_500);
    const other = await connect();
    expect(await other.post()).toMatchObject({
      status: 429,
      body: { code: 'feeder_cooldown' },
      retryAfter: '21',
    });
    await other.close();
    clock.advance(20_500);
    expect((await hub.post()).status).toBe(200);
    await heard(['ON', 'OFF', 'ON', 'OFF']);
  });

  it.each([
    ['no source', { source: 'none' }, {}],
    ['no topic', { mqtt_topic: '' }, {}],
    ['no broker', {}, { broker: '' }],
  ])('settings with %s, are no feeder', async (_, feed, mqtt) => {
    await configure(feed, mqtt);
    hub.settings.forget();
    await vi.waitFor(async () => {
      expect(await hub.post()).toMatchObject({ status: 409, body: { code: 'feeder_not_configured' } });
    }, soon);
    expect(words()).toEqual([]);
  });

  it('with the broker away, is refused at once, takes down why, and opens nothing later', async () => {
    await broker.kill();
    await vi.waitFor(() => expect(hub.mqtt.state()).toBe('error'), soon);
    expect(await hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    expect(await noted()).toMatchObject([
      { type: 'feed_dispense_failed', data: { by: 'admin', ok: false, code: 'upstream_unavailable' } },
    ]);
    expect(await openRows()).toEqual([]);
    expect((await hub.post()).status).toBe(502);
  });

  it('the broker gone while it is open, is closed as soon as the broker is back', async () => {
    await configure({ duration_seconds: 0.5 });
    hub.settings.forget();
    const answer = hub.post();
    await heard(['ON']);
    await broker.kill();
    expect(await answer).toMatchObject({ status: 502 });
    expect(await openRows()).toHaveLength(1);
    await broker.start();
    listener = await broker.listen();
    await heard(['OFF']);
    await vi.waitFor(async () => expect(await openRows()).toEqual([]), soon);
  });

  it('the service stopped while it is open, closes it at once and answers', async () => {
    await configure({ duration_seconds: 60 });
    hub.settings.forget();
    expect((await hub.post()).status).toBe(200);
    await heard(['ON']);
    const since = Date.now();
    await hub.close();
    expect(Date.now() - since).toBeLessThan(2_000);
    await heard(['ON', 'OFF']);
    expect(await openRows()).toEqual([]);
  });

  it('stopped, gives no more portions', async () => {
    hub.feeder.stop();
    expect((await hub.post()).status).toBe(502);
    expect(words()).toEqual([]);
  });

  it('left open by a service that was killed, is closed by the next that starts', async () => {
    await database.pool.query('INSERT INTO open_feeder (device) VALUES ($1), ($1), ($2)', [
      { kind: 'mqtt', topic },
      { kind: 'mqtt', topic: 'cmnd/old/Power' },
    ]);
    const next = await connect();
    await heard(['OFF']);
    expect(listener.last('cmnd/old/Power')).toBe('OFF');
    await vi.waitFor(async () => expect(await openRows()).toEqual([]), soon);
    await next.close();
  });

  it('open in the hands of another service, is left to it', async () => {
    await configure({ duration_seconds: 1.5 });
    hub.settings.forget();
    const answer = hub.post();
    await heard(['ON']);
    const next = await connect();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(words()).toEqual(['ON']);
    await answer;
    await heard(['ON', 'OFF']);
    await next.close();
  });

  it('the database losing the connection of the lock, is closed all the same', async () => {
    await configure({ duration_seconds: 1 });
    hub.settings.forget();
    const answer = hub.post();
    await heard(['ON']);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()`,
    );
    await answer;
    await vi.waitFor(() => expect(words().at(-1)).toBe('OFF'), soon);
    await vi.waitFor(async () => expect(await openRows()).toEqual([]), soon);
  });
});
