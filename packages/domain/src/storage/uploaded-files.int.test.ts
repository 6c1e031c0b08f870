import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRecording, createTestDatabase, createTestWriter, type TestDatabase } from '@birdhub/testing';
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

  it('with a disk that is not mounted, keeps the files that are missing', async () => {
    const { pool } = database;
    const writer = createTestWriter(pool).writer;
    await writer.post(aRecording({ videoPath: 'posted.mp4' }), 'test');
    await pool.query(`UPDATE video SET media = 'ready'`);
    await recordUpload(pool, { path: 'away.mp4', bytes: 4, modifiedMs: 0 });
    const empty = await mkdtemp(join(recordingsDir, 'empty-'));
    const log = pino({ level: 'silent' });
    const removal = removeWaitingUploads(
      { pool, recordingsDir: empty, log },
      { before: Date.now() + 60_000 },
    );
    expect(await removal).toEqual({ files: 0, bytes: 0 });
    const { rowCount } = await pool.query(`SELECT FROM uploaded_file WHERE path = 'away.mp4'`);
    expect(rowCount).toBe(1);
  });
});
