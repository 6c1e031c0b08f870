import { chooseOwnPictures } from '@birdhub/domain/species';
import { aDetection, anAuthor, aRecording } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

const start = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;
const window = `start_time=${start / 1000}&end_time=${start / 1000 + 3_600}`;

/** Every `image_url` in an answer. */
function picturesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(picturesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'image_url' ? [inner] : picturesIn(inner)));
}

describe('pictures whose recordings lose their files', () => {
  let query: TestQuery;
  let older: number;
  let newer: number;
  let titId: number;

  const pool = () => query.database.pool;
  const paths = () => [
    `/api/ui/timeline?${window}`,
    `/api/ui/timeline?start_time=${start / 1000 + 3_600}&end_time=${start / 1000 + 7_200}`,
    `/api/ui/videos/${older}`,
    `/api/ui/videos/${newer}`,
    '/api/ui/species',
    '/api/ui/species/observed',
    `/api/ui/species/${titId}/summary`,
    `/api/ui/species/${titId}/visits`,
    `/api/ui/unknowns?${window}`,
    '/api/ui/overview?date=2026-05-01',
    '/api/ui/migration-calendar',
    '/api/ui/birdfood',
    '/api/ui/cameras',
  ];
  const read = async (bell: string | undefined) => {
    const found = new Map<string, unknown[]>();
    for (const path of paths()) {
      const { status, body } = await query.get(path, bell ? { 'x-hub-bell': bell } : {});
      if (status === 200)
        found.set(
          path,
          picturesIn(body).filter((picture) => picture !== null),
        );
      else expect([path, status]).toEqual([expect.stringContaining('/videos/'), 410]);
    }
    return found;
  };
  const bestOf = async (videoId: number) => {
    const { rows } = await pool().query(
      `SELECT detection.id FROM detection JOIN species ON species.id = species_id
       WHERE video_id = $1 AND name = 'Great Tit' ORDER BY confidence DESC LIMIT 1`,
      [videoId],
    );
    return rows[0]?.id as number;
  };
  const cropOf = async (videoId: number) => `api/ui/detections/${await bestOf(videoId)}/crop`;
  const purge = (id: number) =>
    query.writer.purge({ recordings: [{ id, sizeBytes: 1 }], includeFavorites: true }, 'test');
  const recordingAt = (at: number, speciesNames: readonly string[], confidence: number) =>
    aRecording({
      start: start + at,
      videoPath: `${at}.mp4`,
      detections: speciesNames.map((speciesName) => aDetection({ speciesName, confidence })),
    });

  beforeEach(async () => {
    query = await createTestQuery();
    older = (await query.post(recordingAt(0, ['Great Tit'], 0.3))).videoId;
    newer = (await query.post(recordingAt(hour, ['Great Tit', 'European Robin'], 0.9))).videoId;
    await query.writer.noteMedia(
      [older, newer].map((videoId) => ({ videoId, state: 'ready' as const, sizeBytes: 1 })),
    );
    await chooseOwnPictures(pool());
    const { rows } = await pool().query(`SELECT id FROM species WHERE name = 'Great Tit'`);
    titId = rows[0].id;
    await pool().query(`UPDATE bird_food SET image_url = $1 WHERE id = (SELECT min(id) FROM bird_food)`, [
      `api/ui/videos/${newer}/poster`,
    ]);
    await query.ring({ kind: 'everything' });
  });
  afterEach(() => query.close());

  it('before that, are named wherever a species or a food is', async () => {
    const crop = await cropOf(newer);
    const shown = await read(undefined);
    // What names no species by a picture now shall not name a lost one later either.
    const without = /birdfood|cameras|overview/;
    for (const path of paths().filter((one) => !without.test(one)))
      expect(shown.get(path), path).toContain(crop);
    expect(shown.get('/api/ui/birdfood')).toEqual([`api/ui/videos/${newer}/poster`]);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['a purge', async () => (await purge(newer)).bell],
    ['a deletion', async () => (await query.writer.remove(newer, anAuthor)).bell],
    [
      'a file that is found missing',
      async () => (await query.writer.noteMedia([{ videoId: newer, state: 'missing' }])).bell,
    ],
    [
      'a post that replaces the detections',
      async () => (await query.writer.post(recordingAt(hour, ['House Sparrow'], 0.9), 'test')).bell,
    ],
  ])('after %s, the next best is named at once everywhere, and nothing of what is gone', async (_, lose) => {
    await read(undefined);
    const [gone, next] = [await cropOf(newer), await cropOf(older)];
    const shown = await read(await lose());
    for (const [path, pictures] of shown) expect(pictures, path).not.toContain(gone);
    expect(shown.get(`/api/ui/timeline?${window}`)).toEqual([next]);
    expect(shown.get('/api/ui/species')).toEqual([next]);
  });

  it('after a purge of all, none is named anywhere', async () => {
    await purge(newer);
    const { bell } = await purge(older);
    const shown = await read(bell);
    expect([...shown.values()].flat()).toEqual([]);
  });

  it('pictures from elsewhere and of recordings that are there stay', async () => {
    const kept = ['https://upload.example.org/robin.jpg', `birds/api/ui/videos/${older}/poster?v=1`];
    for (const picture of kept) {
      await pool().query(`UPDATE species SET image_url = $1 WHERE name = 'European Robin'`, [picture]);
      await purge(newer);
      const { rows } = await pool().query(`SELECT image_url FROM species WHERE name = 'European Robin'`);
      expect(rows).toEqual([{ image_url: picture }]);
    }
  });

  it('two purges at once leave no picture of either', async () => {
    await Promise.all([purge(newer), purge(older)]);
    const { rows } = await pool().query('SELECT image_url FROM species WHERE image_url IS NOT NULL');
    expect(rows).toEqual([]);
  });
});
