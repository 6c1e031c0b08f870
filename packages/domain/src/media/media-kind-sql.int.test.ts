import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaKindOf, mediaKindSql } from './recording-path.js';

describe('mediaKindSql', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('any path, has the same kind in SQL as in TypeScript', async () => {
    const paths = [
      'a.wav',
      'a/b.MP3',
      'a.flac',
      'a.ogg',
      'a.oga',
      'a.opus',
      'a.m4a',
      'a.aac',
      'a.mp4',
      'a',
      'wav',
    ];
    paths.push('a.jpg', 'a/b.JPEG', 'a.png', 'a.webp', '.jpg', 'ajpg', 'a.jpg.mp4', 'a.mp4.jpg', '.mp4');
    paths.push('a/.wav', '.wav', 'a.wav/b', 'a.wav.mp4', 'awav', 'a.mp4.wav', 'a wav.wav');
    const { rows } = await database.pool.query<{ path: string; kind: string }>(
      `SELECT video_path AS path, ${mediaKindSql('video')} AS kind
       FROM (SELECT video_path, 'ready' AS media FROM unnest($1::text[]) AS video_path) video`,
      [paths],
    );
    expect(rows).toEqual(paths.map((path) => ({ path, kind: mediaKindOf(path) })));
  });

  it('a sighting without a medium, has no kind', async () => {
    const { rows } = await database.pool.query(
      `SELECT ${mediaKindSql('video')} AS kind FROM (VALUES ('a.jpg', 'none')) AS video (video_path, media)`,
    );
    expect(rows).toEqual([{ kind: null }]);
  });
});
