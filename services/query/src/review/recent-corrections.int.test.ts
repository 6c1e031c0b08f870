import { aDetection } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { speciesIdOf } from '../testing/timeline.js';
import { RecentCorrectionSchema } from './review.schema.js';

const start = Date.UTC(2026, 4, 1, 8);

describe('GET /corrections/recent', () => {
  let query: TestQuery;
  let coalTit: number;
  let greatTit: number;
  const videos: number[] = [];
  let ids: number[];

  beforeAll(async () => {
    query = await createTestQuery();
    coalTit = await speciesIdOf(query, 'Coal Tit');
    greatTit = await speciesIdOf(query, 'Great Tit');
    for (const at of [0, 20_000]) videos.push((await query.post({ start: start + at })).videoId);
    const audio = aDetection({ source: 'audio', confidence: 0.3 });
    videos.push((await query.post({ start: start + 3_600_000, detections: [audio] })).videoId);
    const { rows } = await query.database.pool.query('SELECT id FROM detection ORDER BY id');
    ids = rows.map((row) => row.id);
  });
  afterAll(() => query.close());

  const recent = async (parameters = '') => {
    const { status, body } = await query.get(`/api/ui/corrections/recent${parameters}`);
    expect(status).toBe(200);
    expectShape(Type.Array(RecentCorrectionSchema), body);
    return body;
  };

  it('without any, is empty', async () => {
    expect(await recent()).toEqual([]);
  });

  it('with a correction and a confirmation, lists them newest first', async () => {
    const body = { species_id: coalTit, apply_scope: 'visit' };
    await query.change('PATCH', `/api/ui/detections/${ids[1]}`, body);
    await query.change('POST', `/api/ui/detections/${ids[2]}/confirm`);
    const tit = { id: greatTit, name: 'Great Tit' };
    expect(await recent()).toMatchObject([
      {
        kind: 'confirmation',
        detection_id: ids[2],
        video_id: videos[2],
        media_kind: 'video',
        from: [tit],
        to: null,
        updated_count: 1,
        apply_scope: 'single_track',
      },
      {
        kind: 'correction',
        detection_id: ids[1],
        video_id: videos[1],
        from: [tit],
        to: { id: coalTit, name: 'Coal Tit' },
        updated_count: 2,
        apply_scope: 'visit',
        reverted_at: null,
        by: 'contributor',
      },
    ]);
  });

  it('with a limit, is cut off there', async () => {
    expect(await recent('?limit=1')).toMatchObject([{ kind: 'confirmation' }]);
  });

  it.each(['0', '201', 'many'])('with a limit of %s, is refused', async (limit) => {
    const { status, body } = await query.get(`/api/ui/corrections/recent?limit=${limit}`);
    expect([status, body.details[0].path]).toEqual([400, 'limit']);
  });

  it('with a reverted correction, has the time of the revert', async () => {
    await query.change('POST', `/api/ui/detections/${ids[2]}/revert`);
    expect((await recent())[0].reverted_at).toMatch(/^\d{4}-/);
  });

  it('after the deletion of recordings, lists the rest, which can still be reverted', async () => {
    await query.change('DELETE', `/api/ui/videos/${videos[1]}`);
    await query.change('DELETE', `/api/ui/videos/${videos[2]}`);
    expect(await recent()).toMatchObject([{ detection_id: ids[0], video_id: videos[0], reverted_at: null }]);
    const { body } = await query.change('POST', `/api/ui/detections/${ids[0]}/revert`);
    expect(body).toMatchObject({ species_id: greatTit, updated_count: 1 });
    const { rows } = await query.database.pool.query('SELECT count(*) AS count FROM correction');
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('read again, takes no statement', async () => {
    await recent();
    expect(await query.countStatements('/api/ui/corrections/recent')).toBe(0);
  });
});
