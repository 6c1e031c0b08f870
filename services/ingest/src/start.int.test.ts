import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startIngest } from './start.js';

describe('startIngest', () => {
  let database: TestDatabase;
  let service: RunningService;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startIngest({
      DATABASE_URL: database.url,
      NATS_URL: inject('natsUrl'),
      INTERNAL_SECRET: 's3cret',
      PROCESSOR_SECRET: 'correct horse',
      LOG_LEVEL: 'silent',
    });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function notify(headers: Record<string, string>): Promise<unknown> {
    const answer = await fetch(`${service.url}/api/processor/notify/motion`, { method: 'POST', headers });
    return [answer.status, await answer.json()];
  }
  const token = { 'x-processor-token': 'correct horse' };

  it('a processor that goes past the gateway, with the right token, is refused', async () => {
    expect(await notify(token)).toMatchObject([403, { code: 'forbidden' }]);
    expect(await notify({ ...token, 'x-hub-internal': 'other' })).toMatchObject([403, { code: 'forbidden' }]);
  });

  it('a processor that comes through the gateway, is asked for its token', async () => {
    expect(await notify({ 'x-hub-internal': 's3cret' })).toMatchObject([403, { code: 'forbidden' }]);
    expect(await notify({ ...token, 'x-hub-internal': 's3cret' })).toEqual([200, { message: 'success' }]);
  });

  it('an environment without a database, is refused by name', async () => {
    await expect(startIngest({})).rejects.toThrow(/DATABASE_URL is missing/);
  });
});
