import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
  testAuthor,
} from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('canonical paths migration, with stored paths of every form, loses no recording and creates no duplicate', async () => {
  const { pool } = database;
  const { writer } = createTestWriter(pool);
  const post = async (videoPath: string, given: Parameters<typeof aRecording>[0] = {}) =>
    (await writer.post(aRecording({ videoPath, ...given }), 'test')).videoId;
  await post('bare.mp4', { spectrogramPath: 'bare.jpg' });
  await post('data/recordings/full.mp4', { spectrogramPath: 'data/recordings/full.jpg' });
  await post('both.mp4');
  await post('data/recordings/both.mp4');
  await post('both.mp4', { cameraId: 'north' });
  await post('data/recordings/data/recordings/twice.mp4');
  await writer.remove(await post('gone.mp4'), testAuthor);
  await writer.remove(await post('data/recordings/reposted.mp4'), testAuthor);
  await post('reposted.mp4');
  await database.applyMigration('20261122110100_canonical_paths');
  const rowsOf = async (sql: string) =>
    (await pool.query({ text: sql, rowMode: 'array' })).rows as readonly unknown[];
  expect(await rowsOf('SELECT camera_id, video_path, spectrogram_path FROM video ORDER BY id')).toEqual([
    ['garden', 'data/recordings/bare.mp4', 'data/recordings/bare.jpg'],
    ['garden', 'data/recordings/full.mp4', 'data/recordings/full.jpg'],
    ['garden', 'both.mp4', null],
    ['garden', 'data/recordings/both.mp4', null],
    ['north', 'data/recordings/both.mp4', null],
    ['garden', 'data/recordings/data/recordings/twice.mp4', null],
    ['garden', 'reposted.mp4', null],
  ]);
  expect(await rowsOf('SELECT video_path FROM deleted_video ORDER BY id')).toEqual([
    ['data/recordings/gone.mp4'],
    ['data/recordings/reposted.mp4'],
  ]);
});
