import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaKindOf, mediaKindSql } from './media-types.js';

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
    paths.push('a/.wav', '.wav', 'a.wav/b', 'a.wav.mp4', 'awav', 'a.mp4.wav', 'a wav.wav');
    const { rows } = await database.pool.query<{ path: string; kind: string }>(
      `SELECT path, ${mediaKindSql('path')} AS kind FROM unnest($1::text[]) AS path`,
      [paths],
    );
    expect(rows).toEqual(paths.map((path) => ({ path, kind: mediaKindOf(path) })));
  });
});
