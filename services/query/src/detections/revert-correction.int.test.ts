import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { type GreatTits, reviewGreatTits } from '../testing/great-tits.js';
import { speciesIdOf } from '../testing/timeline.js';

describe('a correction that is taken back', () => {
  let query: TestQuery;
  let tits: GreatTits;
  let shown: Awaited<ReturnType<GreatTits['next']>>;

  beforeAll(async () => {
    query = await createTestQuery();
    tits = await reviewGreatTits(query);
  });
  afterAll(() => query.close());
  beforeEach(async () => {
    shown = await tits.next();
  });

  it('corrected twice and taken back twice, is what it was each time', async () => {
    await tits.correct(shown.ids[0], tits.coalTit);
    await tits.correct(shown.ids[0], tits.marshTit);
    expect((await tits.revert(shown.ids[0])).body).toMatchObject({
      species_id: tits.coalTit,
      updated_count: 2,
    });
    expect((await tits.rowsOf(shown.videoId))[0]).toMatchObject({
      name: 'Coal Tit',
      was: 'Great Tit',
      reviewed: true,
    });
    expect((await tits.revert(shown.ids[0])).body).toMatchObject({
      species_id: tits.greatTit,
      updated_count: 2,
    });
    expect(await tits.rowsOf(shown.videoId)).toMatchObject(
      shown.ids.map(() => ({ name: 'Great Tit', was: null, reviewed: false })),
    );
    const { status, body } = await tits.revert(shown.ids[0]);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.error).toBe('There is no correction of this detection to take back.');
    const [, , reverted] = await tits.activity();
    expect(reverted).toMatchObject({
      type: 'correction_reverted',
      data: {
        by: 'contributor',
        detection_ids: [shown.ids[0], shown.ids[1]],
        to_species_ids: [tits.coalTit],
      },
    });
  });

  it('taken back, leaves alone what another correction has moved since', async () => {
    await tits.correct(shown.ids[2], tits.coalTit, { apply_scope: 'visit' });
    await tits.correct(shown.ids[0], tits.marshTit);
    expect((await tits.revert(shown.ids[2])).body.updated_count).toBe(1);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Marsh Tit', 'Marsh Tit', 'Great Tit']);
    await tits.revert(shown.ids[0]);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Coal Tit', 'Coal Tit', 'Great Tit']);
    await tits.revert(shown.ids[0]);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('posted again in more pieces, is taken back in all of them', async () => {
    await tits.correct(shown.ids[0], tits.coalTit);
    const pieces = [0, 2, 4].map((startOffset) =>
      aDetection({ trackId: '1', startOffset, endOffset: startOffset + 1 }),
    );
    await query.post({ start: shown.start, detections: pieces });
    expect(await tits.namesOf(shown.videoId)).toEqual(['Coal Tit', 'Coal Tit', 'Coal Tit']);
    const newest = (await tits.rowsOf(shown.videoId)).at(-1);
    expect((await tits.revert(newest?.id)).body.updated_count).toBe(3);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('a confirmation taken back, is to be looked at again', async () => {
    await tits.confirm(shown.ids[2]);
    expect((await tits.revert(shown.ids[2])).body).toMatchObject({
      updated_count: 1,
      species_id: tits.greatTit,
    });
    expect((await tits.rowsOf(shown.videoId))[2]?.reviewed).toBe(false);
  });

  it('corrected by ten at once, ends as one of them said, and is taken back to the start', async () => {
    const said = [tits.coalTit, tits.marshTit];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => tits.correct(shown.ids[0], said[index % 2] ?? 0)),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    const changes = replies.filter((reply) => reply.body.updated_count > 0).length;
    for (let index = 0; index < changes; index += 1)
      expect((await tits.revert(shown.ids[0])).status).toBe(200);
    expect((await tits.revert(shown.ids[0])).status).toBe(409);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('a species that was merged since, is the other one when a correction is taken back', async () => {
    const willowTit = await speciesIdOf(query, 'Willow Tit');
    await tits.correct(shown.ids[2], willowTit);
    await tits.correct(shown.ids[2], tits.marshTit);
    await tits.merge('Willow Tit', tits.coalTit);
    expect((await tits.revert(shown.ids[2])).body.species_id).toBe(tits.coalTit);
  });
});
