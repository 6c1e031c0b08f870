import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startIngest } from './start.js';

describe('startIngest', () => {
  let database: TestDatabase;
  let service: RunningService;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await createTestDatabase();
    environment = {
      DATABASE_URL: database.url,
      NATS_URL: inject('natsUrl'),
      INTERNAL_SECRET: 's3cret',
      PROCESSOR_SECRET: 'correct horse',
      LOG_LEVEL: 'silent',
    };
    service = await startIngest(environment);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function notify(headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(`${service.url}/api/processor/notify/motion`, { method: 'POST', headers });
    return [response.status, await response.json()];
  }
  const token = { 'x-processor-token': 'correct horse' };

  it('a processor with the token, through the gateway or past it, is 200', async () => {
    const accepted = [200, { message: 'success' }];
    expect(await notify({ ...token, 'x-hub-internal': 's3cret' })).toEqual(accepted);
    expect(await notify(token)).toEqual(accepted);
  });

  it('a processor without it, through the gateway or past it, is 403', async () => {
    const rejected = [403, { code: 'forbidden' }];
    expect(await notify({ 'x-hub-internal': 's3cret' })).toMatchObject(rejected);
    expect(await notify({ 'x-processor-token': 'wrong' })).toMatchObject(rejected);
    expect(await notify({})).toMatchObject(rejected);
  });

  it('any other request, past the gateway, is 403', async () => {
    expect((await fetch(`${service.url}/api/ui/timeline`, { headers: token })).status).toBe(403);
  });

  it('without a configured token, only requests through the gateway are 200', async () => {
    const open = await startIngest({ ...environment, PROCESSOR_SECRET: '' });
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${open.url}/api/processor/notify/motion`, { method: 'POST', headers })).status;
    expect(await ask({})).toBe(403);
    expect(await ask({ 'x-hub-internal': 's3cret' })).toBe(200);
    await open.close();
  });

  it('an environment without a database, throws naming the variable', async () => {
    await expect(startIngest({})).rejects.toThrow(/DATABASE_URL is missing/);
  });
});
