import { createTestDatabase } from '@birdhub/testing';
import { describeRunningService, serviceEnv } from '@birdhub/testing/running-service';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { startSystem } from './start.js';

describeRunningService('system', startSystem);

test('the system service, started without requests, sends no statement by Prisma, whose compiler stays unloaded', async () => {
  const database = await createTestDatabase();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const sent = () =>
    query.mock.calls.map(([statement]: readonly unknown[]) =>
      typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text),
    );
  const service = await startSystem(serviceEnv(database));
  for (const table of ['job', 'push_delivery', 'open_feeder', 'processor_command', 'setting', 'video'])
    await vi.waitFor(() => expect(sent().join('\n')).toMatch(new RegExp(`FROM ${table}\\b`)), 5_000);
  await service.close();
  expect(sent().filter((text) => text.includes('"public".'))).toEqual([]);
  query.mockRestore();
  await database.drop();
});
