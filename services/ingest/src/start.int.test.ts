import type { RunningService } from '@birdhub/shared/app';
import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
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
    const answer = await fetch(`${service.url}/api/processor/notify/motion`, { method: 'POST', headers });
    return [answer.status, await answer.json()];
  }
  const token = { 'x-processor-token': 'correct horse' };

  it('a processor with the token, through the gateway or past it, is let in', async () => {
    const welcome = [200, { message: 'success' }];
    expect(await notify({ ...token, 'x-hub-internal': 's3cret' })).toEqual(welcome);
    expect(await notify(token)).toEqual(welcome);
  });

  it('a processor without it, through the gateway or past it, is refused', async () => {
    const refusal = [403, { code: 'forbidden' }];
    expect(await notify({ 'x-hub-internal': 's3cret' })).toMatchObject(refusal);
    expect(await notify({ 'x-processor-token': 'wrong' })).toMatchObject(refusal);
    expect(await notify({})).toMatchObject(refusal);
  });

  it('anything else, past the gateway, is refused', async () => {
    expect((await fetch(`${service.url}/api/ui/timeline`, { headers: token })).status).toBe(403);
  });

  it('a hub without a token, lets in only what comes through the gateway', async () => {
    const open = await startIngest({ ...environment, PROCESSOR_SECRET: '' });
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${open.url}/api/processor/notify/motion`, { method: 'POST', headers })).status;
    expect(await ask({})).toBe(403);
    expect(await ask({ 'x-hub-internal': 's3cret' })).toBe(200);
    await open.close();
  });

  it('an environment without a database, is refused by name', async () => {
    await expect(startIngest({})).rejects.toThrow(/DATABASE_URL is missing/);
  });
});
