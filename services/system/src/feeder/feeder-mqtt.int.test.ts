import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTestFeeder,
  type FeederStand,
  feederTopic,
  setUpFeeder,
  soon,
} from '../testing/create-test-feeder.js';

const now = Date.UTC(2026, 4, 1, 12);

describe('POST /feed/dispense, by MQTT', () => {
  let database: TestDatabase;
  let stand: FeederStand;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    stand = await setUpFeeder(database, now);
  });
  afterEach(() => stand.close());
  afterAll(() => database.drop());

  it('with a switch, opens, waits, closes and logs it', async () => {
    const { status, body } = await stand.hub.post();
    expect([status, body]).toEqual([
      200,
      { message: expect.any(String), dispensed_at: '2026-05-01T12:00:00.000Z' },
    ]);
    await stand.waitForMessages(['ON', 'OFF']);
    expect(await stand.activities()).toEqual([
      {
        type: 'feed_dispense',
        data: { by: 'admin', source: 'mqtt', dispensed_at: '2026-05-01T12:00:00.000Z', ok: true },
      },
    ]);
    expect(await stand.openRows()).toEqual([]);
  });

  it('requested by an assistant, logs the caller', async () => {
    await stand.hub.post('mcp');
    expect((await stand.activities())[0]?.data['by']).toBe('mcp');
  });

  it('while the feeder is open, has it in the database before it opens', async () => {
    await stand.configure({ duration_seconds: 1 });
    const response = stand.hub.post();
    await stand.waitForMessages(['ON']);
    expect(await stand.openRows()).toEqual([{ kind: 'mqtt', topic: feederTopic }]);
    await response;
    expect(await stand.openRows()).toEqual([]);
  });

  it('twice at once at two services, gives one portion', async () => {
    const other = await stand.connect();
    const responses = await Promise.all([stand.hub.post(), other.post()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'dispense_in_progress',
    });
    await stand.waitForMessages(['ON', 'OFF']);
  });

  it('too early, is refused with the remaining seconds, at every service, until the cooldown is over', async () => {
    await stand.hub.post();
    stand.clock.advance(9_500);
    const other = await stand.connect();
    expect(await other.post()).toMatchObject({
      status: 429,
      body: { code: 'feeder_cooldown' },
      retryAfter: '21',
    });
    stand.clock.advance(20_500);
    expect((await stand.hub.post()).status).toBe(200);
    await stand.waitForMessages(['ON', 'OFF', 'ON', 'OFF']);
  });

  it.each([
    ['no source', { source: 'none' }, {}],
    ['no topic', { mqtt_topic: '' }, {}],
    ['no broker', {}, { broker: '' }],
  ])('with %s in the settings, has no feeder', async (_, feed, mqtt) => {
    await stand.configure(feed, mqtt);
    await vi.waitFor(async () => {
      expect(await stand.hub.post()).toMatchObject({ status: 409, body: { code: 'feeder_not_configured' } });
    }, soon);
    expect(stand.messages()).toEqual([]);
  });

  it('without the broker, is refused and logged with the reason, and opens nothing later', async () => {
    await stand.broker.kill();
    await vi.waitFor(() => expect(stand.hub.mqtt.state()).toBe('error'), soon);
    expect(await stand.hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    expect(await stand.activities()).toMatchObject([
      { type: 'feed_dispense_failed', data: { by: 'admin', ok: false, code: 'upstream_unavailable' } },
    ]);
    expect(await stand.openRows()).toEqual([]);
    await stand.restartBroker();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(stand.messages()).toEqual([]);
  });

  it('with the broker lost while open, closes as soon as the broker is back', async () => {
    await stand.configure({ duration_seconds: 0.5 });
    const response = stand.hub.post();
    await stand.waitForMessages(['ON']);
    await stand.broker.kill();
    expect(await response).toMatchObject({ status: 502 });
    expect(await stand.openRows()).toHaveLength(1);
    await stand.restartBroker();
    await stand.waitForMessages(['OFF']);
    await vi.waitFor(async () => expect(await stand.openRows()).toEqual([]), soon);
  });

  it('with the service stopped while open, closes at once and responds', async () => {
    await stand.configure({ duration_seconds: 60 });
    expect((await stand.hub.post()).status).toBe(200);
    await stand.waitForMessages(['ON']);
    await stand.hub.close();
    await stand.waitForMessages(['ON', 'OFF']);
    expect(await stand.openRows()).toEqual([]);
  });

  it('with the service stopped during a request, closes at once and responds', async () => {
    await stand.configure({ duration_seconds: 9 });
    const response = stand.hub.post();
    await stand.waitForMessages(['ON']);
    await stand.hub.close();
    expect((await response).status).toBe(200);
    await stand.waitForMessages(['ON', 'OFF']);
  });

  it('at a service that is still connecting, waits for the broker', async () => {
    const next = createTestFeeder(database, stand.clock);
    expect((await next.post()).status).toBe(200);
    await next.close();
  });

  it('after a stop, gives no more portions', async () => {
    stand.hub.feeder.stop();
    expect((await stand.hub.post()).status).toBe(502);
    expect(stand.messages()).toEqual([]);
  });
});
