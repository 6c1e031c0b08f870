import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordUpload, removeWaitingUploads } from './uploaded-files.js';

describe('removeWaitingUploads', () => {
  let database: TestDatabase;
  let recordingsDir: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    recordingsDir = await mkdtemp(join(tmpdir(), 'birdhub-uploads-'));
  });
  afterAll(async () => {
    await database.drop();
    await rm(recordingsDir, { recursive: true });
  });

  it('with files that cannot be removed, logs their number once', async () => {
    const { pool } = database;
    for (const path of ['a.mp4', 'b.mp4', 'c.mp4']) {
      await writeFile(join(recordingsDir, path), 'film');
      const { mtimeMs } = await stat(join(recordingsDir, path));
      await recordUpload(pool, { path, bytes: 4, modifiedMs: mtimeMs });
    }
    // Permissions cannot make a removal fail, as the tests may run as root.
    const failing = {
      query: (text: string, values: unknown[]) =>
        values[0] === 'b.mp4' || values[0] === 'c.mp4'
          ? Promise.reject(new Error('no'))
          : pool.query(text, values),
    } as unknown as pg.Pool;
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
    const removal = removeWaitingUploads(
      { pool: failing, recordingsDir, log },
      { before: Date.now() + 60_000 },
    );
    expect(await removal).toEqual({ files: 1, bytes: 4 });
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ files: 2, path: 'b.mp4' }]);
  });
});
