import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { readCountedFiles, readFiles } from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestStorage, type TestStorage } from '../testing/create-test-storage.js';

const count = 70;
const anyMoment = fc.record({ steps: fc.integer({ min: 1, max: 8 }), afterMs: fc.nat(5) });
const child = new URL('../testing/purge-in-child.mjs', import.meta.url);

let storage: TestStorage;
beforeAll(async () => {
  storage = await createTestStorage();
});
afterAll(() => storage.close());

/** When a process is killed: some ms after some progress reports. */
interface Moment {
  readonly steps: number;
  readonly afterMs: number;
}

/** Purges in a separate process and kills it. */
async function purgeAndKill({ steps, afterMs }: Moment): Promise<void> {
  const { recordingsDir } = storage.deps;
  const args = [storage.database.url, storage.dataDir, recordingsDir];
  const process = fork(child, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(process, 'exit');
  let reports = 0;
  process.on('message', async () => {
    reports += 1;
    if (reports !== steps) return;
    await pause(afterMs);
    process.kill('SIGKILL');
  });
  await ended;
}

async function countRemovals(): Promise<number | null> {
  await storage.deps.files.removeAll();
  return (await storage.database.pool.query('SELECT FROM file_removal')).rowCount;
}

it('purge, killed at any moment repeatedly, leaves consistent rows and files', async () => {
  let interrupted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyMoment, { minLength: 2, maxLength: 3 }), async (moments) => {
      await storage.clear();
      const favorites = new Set<number>();
      for (let index = 0; index < count; index += 1) {
        const { id } = await storage.add({ daysAgo: 30 + index, favorite: index % 5 === 0 });
        if (index % 5 === 0) favorites.add(id);
      }
      for (const moment of moments) await purgeAndKill(moment);
      const { rowCount } = await storage.database.pool.query('SELECT FROM file_removal');
      const states = new Set((await storage.list()).filter((row) => !row.favorite).map((row) => row.media));
      if (rowCount || states.size > 1) interrupted += 1;
      // The database takes a moment to notice that a process is gone.
      await expect.poll(countRemovals).toBe(0);
      for (const { id, media, hasFile } of await storage.list()) {
        expect([id, hasFile]).toEqual([id, media === 'ready']);
        if (favorites.has(id)) expect(media).toBe('ready');
      }
      const { pool } = storage.database;
      expect(await readCountedFiles(pool)).toEqual(await readFiles(pool));
    }),
    { numRuns: 4 },
  );
  expect(interrupted).toBeGreaterThan(0);
});
