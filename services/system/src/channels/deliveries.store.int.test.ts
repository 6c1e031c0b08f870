import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDelivery, listDeliveries, listDueChannels, settleDelivery } from './deliveries.store.js';
import { say } from './delivery-failures.js';

const now = Date.UTC(2026, 4, 1, 12);
const minute = 60_000;

describe('deliveries', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(`INSERT INTO notification_channel (kind, name) VALUES ('webhook', 'Two')`);
  });
  beforeEach(() => database.pool.query('TRUNCATE notification CASCADE'));
  afterAll(() => database.drop());

  async function add(
    ...deliveries: { channelId?: number; target?: string; attempts?: number; at?: number }[]
  ) {
    await database.pool.query(
      `INSERT INTO notification (id, message_key, species_key, about, message, expires_at, created_at)
       VALUES (1, 'a', 'great tit', now(), '{"title": "Great Tit"}', $1, now())`,
      [new Date(now + minute)],
    );
    for (const [
      place,
      { channelId = 1, target = `${place}`, attempts = 0, at = now },
    ] of deliveries.entries())
      await database.pool.query(
        `INSERT INTO push_delivery (notification_id, channel, channel_id, target, attempts, next_attempt_at)
         VALUES (1, 'webhook', $1, $2, $3, $4)`,
        [channelId, target, attempts, new Date(at)],
      );
  }
  const claim = (at = now) => claimDelivery(database.pool, 1, at);
  const states = async () =>
    (await listDeliveries(database.prisma, Number.MAX_SAFE_INTEGER, 9)).map(({ state }) => state).reverse();

  it('claimed, are the due ones, the least tried first, each once', async () => {
    await add({ attempts: 1 }, { at: now + minute }, { at: now - minute }, {}, { channelId: 2 });
    expect(await claim()).toMatchObject({ target: '2', attempts: 1, expiresAt: now + minute });
    const targets = await Promise.all([claim(), claim(), claim()]);
    expect(targets.map((delivery) => delivery?.target).sort()).toEqual(['0', '3', undefined]);
  });

  it('claimed for browsers, are those of browsers that failed after the others', async () => {
    await database.pool.query(
      `INSERT INTO push_subscription (id, endpoint, p256dh, auth, failures) VALUES (1, 'a', '', '', 1), (2, 'b', '', '', 0)`,
    );
    await add({ target: '1' }, { target: '2' });
    await database.pool.query(`UPDATE push_delivery SET channel = 'web_push'`);
    expect([(await claim())?.target, (await claim())?.target]).toEqual(['2', '1']);
  });

  it('settled, have the state, the error and the time of the next attempt', async () => {
    await add({});
    const delivery = await claim();
    const failure = say('status', { status: 429 });
    const settlement = { state: 'pending', failure, nextAttemptAt: now + minute } as const;
    await settleDelivery(database.prisma, delivery?.id ?? 0, settlement);
    expect(await claim()).toBeUndefined();
    expect(await listDueChannels(database.pool, now)).toEqual([{ channelId: 1, at: now + minute }]);
    expect(await listDeliveries(database.prisma, Number.MAX_SAFE_INTEGER, 9)).toMatchObject([
      {
        id: delivery?.id,
        state: 'pending',
        error: 'The service responded with status 429.',
        sentences: [failure],
        nextAttemptAt: new Date(now + minute),
        attempts: 1,
      },
    ]);
    expect(await claim(now + minute)).toMatchObject({ attempts: 2 });
  });

  it('settled after their notification was deleted, cause no error', async () => {
    await add({});
    const delivery = await claim();
    await database.pool.query('DELETE FROM notification');
    const settlement = { state: 'sent', failure: null, nextAttemptAt: now } as const;
    await settleDelivery(database.prisma, delivery?.id ?? 0, settlement);
    expect(await states()).toEqual([]);
  });

  it('abandoned during an attempt, are given up after their lease and not before', async () => {
    await add({});
    await claim();
    const lease = 4 * minute;
    expect(await listDueChannels(database.pool, now + lease - 1)).toEqual([
      { channelId: 1, at: now + lease },
    ]);
    expect(await states()).toEqual(['sending']);
    expect(await listDueChannels(database.pool, now + lease)).toEqual([]);
    expect(await states()).toEqual(['failed']);
  });
});
