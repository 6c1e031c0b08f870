import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createTestFeeder,
  type FeederFixture,
  feederTopic,
  reconnectWait,
  setUpFeeder,
} from '../testing/create-test-feeder.js';

const now = Date.UTC(2026, 4, 1, 12);

describe('POST /feed/dispense, by MQTT', () => {
  let database: TestDatabase;
  let fixture: FeederFixture;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    fixture = await setUpFeeder(database, now);
  });
  afterEach(() => fixture.close());
  afterAll(() => database.drop());

  it('with a switch, opens, waits, closes and logs it', async () => {
    const { status, body } = await fixture.hub.post();
    expect([status, body]).toEqual([
      200,
      { message: expect.any(String), dispensed_at: '2026-05-01T12:00:00.000Z' },
    ]);
    await fixture.waitForMessages(['ON', 'OFF']);
    expect(await fixture.activities()).toEqual([
      {
        type: 'feed_dispense',
        data: { by: 'admin', source: 'mqtt', dispensed_at: '2026-05-01T12:00:00.000Z', ok: true },
      },
    ]);
    expect(await fixture.openRows()).toEqual([]);
  });

  it('requested by an assistant, logs the caller', async () => {
    await fixture.hub.post('mcp');
    expect((await fixture.activities())[0]?.data['by']).toBe('mcp');
  });

  it('while the feeder is open, has it in the database before it opens', async () => {
    await fixture.configure({ duration_seconds: 1 });
    const response = fixture.hub.post();
    await fixture.waitForMessages(['ON']);
    expect(await fixture.openRows()).toEqual([{ kind: 'mqtt', topic: feederTopic }]);
    await response;
    expect(await fixture.openRows()).toEqual([]);
  });

  it('twice at once at two services, gives one portion', async () => {
    const other = await fixture.connect();
    const responses = await Promise.all([fixture.hub.post(), other.post()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'dispense_in_progress',
    });
    await fixture.waitForMessages(['ON', 'OFF']);
  });

  it('too early, is refused with the remaining seconds, at every service, until the cooldown is over', async () => {
    await fixture.hub.post();
    fixture.clock.advance(9_500);
    const other = await fixture.connect();
    expect(await other.post()).toMatchObject({
      status: 429,
      body: { code: 'feeder_cooldown' },
      retryAfter: '21',
    });
    fixture.clock.advance(20_500);
    expect((await fixture.hub.post()).status).toBe(200);
    await fixture.waitForMessages(['ON', 'OFF', 'ON', 'OFF']);
  });

  it.each([
    ['no source', { source: 'none' }, {}],
    ['no topic', { mqtt_topic: '' }, {}],
    ['no broker', {}, { broker: '' }],
  ])('with %s in the settings, has no feeder', async (_, feed, mqtt) => {
    await fixture.configure(feed, mqtt);
    await vi.waitFor(async () => {
      expect(await fixture.hub.post()).toMatchObject({
        status: 409,
        body: { code: 'feeder_not_configured' },
      });
    }, reconnectWait);
    expect(fixture.messages()).toEqual([]);
  });

  it('without the broker, is refused and logged with the reason, and opens nothing later', async () => {
    await fixture.broker.kill();
    await vi.waitFor(() => expect(fixture.hub.mqtt.state()).toBe('error'), reconnectWait);
    expect(await fixture.hub.post()).toMatchObject({ status: 502, body: { code: 'upstream_unavailable' } });
    expect(await fixture.activities()).toMatchObject([
      { type: 'feed_dispense_failed', data: { by: 'admin', ok: false, code: 'upstream_unavailable' } },
    ]);
    expect(await fixture.openRows()).toEqual([]);
    await fixture.restartBroker();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(fixture.messages()).toEqual([]);
  });

  it('with the broker lost while open, closes as reconnectWait as the broker is back', async () => {
    await fixture.configure({ duration_seconds: 0.5 });
    const response = fixture.hub.post();
    await fixture.waitForMessages(['ON']);
    await fixture.broker.kill();
    expect(await response).toMatchObject({ status: 502 });
    expect(await fixture.openRows()).toHaveLength(1);
    await fixture.restartBroker();
    await fixture.waitForMessages(['OFF']);
    await vi.waitFor(async () => expect(await fixture.openRows()).toEqual([]), reconnectWait);
  });

  it('with the service stopped while open, closes at once and responds', async () => {
    await fixture.configure({ duration_seconds: 60 });
    expect((await fixture.hub.post()).status).toBe(200);
    await fixture.waitForMessages(['ON']);
    await fixture.hub.close();
    await fixture.waitForMessages(['ON', 'OFF']);
    expect(await fixture.openRows()).toEqual([]);
  });

  it('with the service stopped during a request, closes at once and responds', async () => {
    await fixture.configure({ duration_seconds: 9 });
    const response = fixture.hub.post();
    await fixture.waitForMessages(['ON']);
    await fixture.hub.close();
    expect((await response).status).toBe(200);
    await fixture.waitForMessages(['ON', 'OFF']);
  });

  it('at a service that is still connecting, waits for the broker', async () => {
    const next = createTestFeeder(database, fixture.clock);
    expect((await next.post()).status).toBe(200);
    await next.close();
  });

  it('after a stop, gives no more portions', async () => {
    fixture.hub.feeder.stop();
    expect((await fixture.hub.post()).status).toBe(502);
    expect(fixture.messages()).toEqual([]);
  });
});
