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

  it.each([
    ['a picture in a folder of its camera', 'garden/sound/s.jpg', true],
    ['a picture in a folder of another camera', 'street/s.jpg', false],
    ['a picture of a source', 'sources/1/s.jpg', false],
    ['a picture of a sighting', 'sightings/ab/s.jpg', false],
    ['a database', 'birds.db', false],
    ['a picture beside it, in a folder of another camera', 'street/1/s.jpg', true],
  ])(
    'a recording that names %s as its spectrogram, lists it for removal only if it can be its own',
    async (_, spectrogramPath, isListed) => {
      await hub.writer.post(aRecording({ cameraId: 'street', videoPath: 'street/own.mp4' }), 'test');
      const given = { cameraId: 'garden', videoPath: 'street/1/video.mp4', spectrogramPath };
      const listed = async () => {
        const { rows } = await database.pool.query('SELECT path FROM file_removal WHERE path = $1', [
          spectrogramPath,
        ]);
        return rows.length > 0;
      };
      ({ videoId: id } = await hub.writer.post(aRecording(given), 'test'));
      await purge();
      expect(await listed()).toBe(isListed);
      await database.pool.query('TRUNCATE file_removal');
      await hub.writer.remove(id, testAuthor);
      expect(await listed()).toBe(isListed);
      await database.pool.query('TRUNCATE deleted_video');
    },
  );

  it('a spectrogram that replaces a picture elsewhere, leaves that', async () => {
    for (const [path, isListed] of [
      ['street/s.jpg', false],
      ['own/s.jpg', true],
    ] as const) {
      const given = { videoPath: 'own/video.mp4', spectrogramPath: path };
      const { videoId } = await hub.writer.post(aRecording(given), 'test');
      await hub.writer.saveSpectrogram(videoId, 'data/recordings/own/spectrogram_100.jpg');
      const { rows } = await database.pool.query('SELECT path FROM file_removal');
      expect(rows).toEqual(isListed ? [{ path }] : []);
    }
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
