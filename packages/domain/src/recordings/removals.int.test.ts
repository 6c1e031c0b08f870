import { setTimeout as pause } from 'node:timers/promises';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('purge', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let id: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE video, file_removal CASCADE');
    id = (await hub.writer.post(aRecording({ spectrogramPath: 'data/recordings/s.jpg' }), 'test')).videoId;
    await hub.writer.saveFileStates([{ videoId: id, state: 'ready', sizeBytes: 5 }]);
  });
  afterAll(() => database.drop());

  const purge = (includeFavorites = false) =>
    hub.writer.purge({ recordings: [{ id, sizeBytes: 9 }], includeFavorites }, 'test');
  const media = async () => (await database.pool.query('SELECT media FROM video')).rows;

  it('a recording, lists its files and derived files for removal', async () => {
    expect(await purge()).toEqual({ purged: [id], bytes: 5 });
    const { rows } = await database.pool.query('SELECT path, derived_of FROM file_removal ORDER BY id');
    expect(rows).toEqual([
      { path: aRecording().videoPath, derived_of: null },
      { path: 's.jpg', derived_of: null },
      { path: null, derived_of: id },
    ]);
  });

  it('a second purge, does nothing', async () => {
    await purge();
    expect(await purge()).toEqual({ purged: [], bytes: 0 });
  });

  it('a late state of the file, does not undo the purge', async () => {
    await purge();
    await hub.writer.saveFileStates([{ videoId: id, state: 'ready', sizeBytes: 5 }]);
    expect(await media()).toEqual([{ media: 'purged' }]);
  });

  it.each([
    ['purge', () => purge().then(({ purged }) => purged.length > 0)],
    [
      'deletion by a machine',
      () => hub.writer.remove(id, testAuthor, { keepFavorite: true }).then(({ removed }) => removed),
    ],
  ])('a recording that becomes a favourite during a %s, is kept', async (_, clear) => {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('UPDATE video SET favorite = true WHERE id = $1', [id]);
    const clearing = clear();
    await pause(100);
    await client.query('COMMIT');
    client.release();
    expect(await clearing).toBe(false);
    expect(await media()).toEqual([{ media: 'ready' }]);
  });

  it('a favourite, is purged only if favourites are included', async () => {
    await hub.writer.markFavorite(id, true);
    expect((await purge()).purged).toEqual([]);
    expect((await purge(true)).purged).toEqual([id]);
  });
});
