import { chooseOwnPictures } from '@birdhub/domain/species';
import { aDetection } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { saveInfo } from './species-info.store.js';

describe('own pictures of species', () => {
  let query: TestQuery;
  beforeEach(async () => {
    query = await createTestQuery();
  });
  afterEach(() => query.close());

  const pool = () => query.database.pool;
  const choose = () => chooseOwnPictures(pool());
  const setMedia = (media: string) => pool().query('UPDATE video SET media = $1', [media]);
  async function shown(): Promise<{ id: number; image_url: string | null }> {
    const { rows } = await pool().query(`SELECT id, image_url FROM species WHERE name = 'Great Tit'`);
    return rows[0];
  }
  async function see(): Promise<number> {
    const detections = [0.6, 0.95, 0.8].map((confidence, number) =>
      aDetection({ confidence, trackId: String(number) }),
    );
    await query.post({ detections: [...detections, aDetection({ source: 'audio', confidence: 1 })] });
    const { rows } = await pool().query('SELECT id FROM detection WHERE confidence = 0.95');
    return rows[0].id;
  }

  it('a species without a picture, is shown by its surest crop as soon as the video is there', async () => {
    const best = await see();
    expect(await choose()).toBe(false);
    await setMedia('ready');
    expect(await choose()).toBe(true);
    expect((await shown()).image_url).toBe(`api/ui/detections/${best}/crop`);
    expect(await choose()).toBe(false);
  });

  it('a crop that a person has looked at, comes before a surer one', async () => {
    await see();
    await setMedia('ready');
    const { rows } = await pool().query(
      'UPDATE detection SET reviewed = true WHERE confidence = 0.6 RETURNING id',
    );
    await choose();
    expect((await shown()).image_url).toBe(`api/ui/detections/${rows[0].id}/crop`);
  });

  it('a crop whose video is gone, is let go of', async () => {
    await see();
    await setMedia('ready');
    await choose();
    await setMedia('purged');
    expect(await choose()).toBe(true);
    expect((await shown()).image_url).toBeNull();
  });

  it('a picture that a person gave, stays', async () => {
    await see();
    await setMedia('ready');
    await pool().query(`UPDATE species SET image_url = 'mine.jpg' WHERE name = 'Great Tit'`);
    expect(await choose()).toBe(false);
  });

  it.each<[string | null, string]>([
    ['https://upload.example.org/tit.jpg', 'takes its place'],
    [null, 'leaves it'],
  ])('the encyclopedia, with the picture %s, %s', async (imageUrl) => {
    const best = await see();
    await setMedia('ready');
    await choose();
    const { id } = await shown();
    const summary = { description: 'A bird.', imageUrl, sourceUrl: 'https://en.example.org/wiki/Tit' };
    await saveInfo(pool(), id, summary, { now: 0, askAgainAt: 1 });
    expect((await shown()).image_url).toBe(imageUrl ?? `api/ui/detections/${best}/crop`);
  });
});
