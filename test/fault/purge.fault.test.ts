import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { readCountedFiles, readFiles } from '@birdhub/testing';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { aMovie } from '../../services/system/src/testing/a-movie.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { requireJson, sendJson } from './fixtures/send-json.js';
import { withoutPictures } from './fixtures/trial.js';

interface Stored {
  readonly id: number;
  readonly media: string;
  readonly path: string;
}

const folder = useDataFolder({ killsProcesses: true });
const soon = { interval: 5 };
/** More than a purge handles at once. */
const count = 700;
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
/** State of a purge when it is killed: rows are marked and no file is deleted yet, or some are. */
const moments = ['rows', 'files'] as const;
const favorites = new Set<number>();
let hub: TestHub;
let database: Database;

/** Makes files so old that they do not count as being written. */
function makeFiles(): void {
  const longAgo = new Date(Date.now() - 3_600_000);
  const movie = aMovie();
  for (let index = 0; index < count; index += 1) {
    const time = new Date(Date.UTC(2026, 1, 1) + index * 60_000).toISOString();
    const file = join(
      hub.recordingsDir,
      `${time.slice(0, 19).replaceAll(/[-T]/g, '/').replaceAll(':', '')}/video.mp4`,
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, movie);
    utimesSync(file, longAgo, longAgo);
  }
}

async function list(): Promise<(Stored & { hasFile: boolean })[]> {
  const { rows } = await database.pool.query<Stored>(
    `SELECT id, media, regexp_replace(video_path, '^data/recordings/', '') AS path FROM video ORDER BY id`,
  );
  return rows.map((row) => ({ ...row, hasFile: existsSync(join(hub.recordingsDir, row.path)) }));
}

async function countRows(sql: string): Promise<number> {
  return (
    (await database.pool.query<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)).rows[0]?.count ?? 0
  );
}

const askPurge = () => sendJson(hub, 'POST', 'storage/purge', { date: yesterday, confirm: true });

async function hasHappened(moment: (typeof moments)[number], purgedBefore: number): Promise<boolean> {
  if (moment === 'rows') return (await countRows(`video WHERE media = 'purged'`)) > purgedBefore;
  return (await list()).some(({ media, hasFile }) => media === 'purged' && !hasFile);
}

beforeAll(async () => {
  // Posters of so many would take longer than the rest.
  hub = await startHubIn(folder, { ...inOneProcess, ...withoutPictures });
  const log = createLog('fault', 'silent');
  database = openDatabase({ url: hub.databaseUrl, max: 2, name: 'fault', log });
  makeFiles();
  expect(await requireJson(hub, 'POST', 'system/recordings/scan', {})).toMatchObject({ imported: count });
  for (const { id } of (await list()).filter((_, index) => index % 35 === 0)) {
    await requireJson(hub, 'PATCH', `videos/${id}`, { favorite: true });
    favorites.add(id);
  }
  return () => database.close();
});

describe('a purge that is killed', () => {
  it.each(moments)(
    'in the middle of %s, leaves rows and files that agree when the hub is back',
    async (moment) => {
      const purgedBefore = await countRows(`video WHERE media = 'purged'`);
      const asked = askPurge().catch(() => undefined);
      await vi.waitUntil(() => hasHappened(moment, purgedBefore), soon);
      const killed = hub.kill('services');
      await asked;
      await hub.waitUntilRestarted('services', killed);
      await vi.waitUntil(async () => (await countRows('file_removal')) === 0, soon);
      for (const { id, media, hasFile } of await list())
        expect([id, hasFile]).toEqual([id, media === 'ready']);
      expect(await readCountedFiles(database.pool)).toEqual(await readFiles(database.pool));
    },
  );

  it('and requested again, does the rest and keeps the favourites', async () => {
    const response = await askPurge();
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ keptFavorites: favorites.size }),
    ]);
    const left = (await list()).filter(({ hasFile }) => hasFile);
    expect(left.map(({ id, media }) => [id, media])).toEqual([...favorites].map((id) => [id, 'ready']));
  });
});
