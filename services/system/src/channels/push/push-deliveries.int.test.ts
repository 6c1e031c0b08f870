import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushDeliveriesRoutes } from './push.routes.js';

const createdAt = '2026-05-01T08:00:00.000Z';
const nextAttemptAt = '2026-05-01T08:05:00.000Z';

describe('GET /push/deliveries', () => {
  let database: TestDatabase;
  let app: HubApp;
  let ids: number[];

  beforeAll(async () => {
    database = await createTestDatabase();
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    pushDeliveriesRoutes(app, database);
    await database.pool.query(
      `INSERT INTO notification (id, message_key, species_key, visit_id, about, message, expires_at, created_at)
       VALUES (1, 'visit:7', 'great tit', 7, now(), '{"title": "Great Tit", "body": "secret"}', now(), now())`,
    );
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO push_delivery (notification_id, channel, target, state, attempts, error, next_attempt_at, created_at)
       VALUES (1, 'web_push', '3', 'sent', 1, NULL, $2, $1), (1, 'webhook', '', 'pending', 2, 'status 500', $2, $1),
         (1, 'telegram', '', 'failed', 5, 'status 400', $2, $1)
       RETURNING id`,
      [createdAt, nextAttemptAt],
    );
    ids = rows.map(({ id }) => id);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  async function get(query = '') {
    const response = await app.inject(`/api/ui/push/deliveries${query}`);
    return { status: response.statusCode, body: response.json() };
  }

  it('without parameters, lists all, the newest first', async () => {
    const shared = { title: 'Great Tit', visit_id: 7, created_at: createdAt };
    expect((await get()).body).toEqual({
      deliveries: [
        {
          ...{
            id: ids[2],
            channel: 'telegram',
            channel_id: null,
            channel_name: null,
            target: null,
            state: 'failed',
            attempts: 5,
          },
          ...{ error: 'status 400', sentences: [], next_attempt_at: null, ...shared },
        },
        {
          ...{
            id: ids[1],
            channel: 'webhook',
            channel_id: null,
            channel_name: null,
            target: null,
            state: 'pending',
            attempts: 2,
          },
          ...{ error: 'status 500', sentences: [], next_attempt_at: nextAttemptAt, ...shared },
        },
        {
          ...{
            id: ids[0],
            channel: 'web_push',
            channel_id: null,
            channel_name: null,
            target: '3',
            state: 'sent',
            attempts: 1,
          },
          ...{ error: null, sentences: [], next_attempt_at: null, ...shared },
        },
      ],
      next_cursor: null,
    });
  });

  it('page by page, lists each once', async () => {
    const first = (await get('?limit=2')).body;
    expect(first).toMatchObject({ deliveries: [{ id: ids[2] }, { id: ids[1] }], next_cursor: ids[1] });
    const second = (await get(`?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ deliveries: [{ id: ids[0] }], next_cursor: null });
  });

  it.each(['?limit=201', '?limit=0', '?cursor=x'])('with %s, is refused', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  });
});
