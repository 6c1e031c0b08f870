import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { type GreatTits, reviewGreatTits } from '../testing/great-tits.js';
import { getTimeline, minute, speciesIdOf } from '../testing/timeline.js';
import { ReviewedSchema } from './review.schema.js';

describe('a detection in review', () => {
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

  const timeline = async () =>
    (await getTimeline(query, `start_time=${shown.start / 1000}&end_time=${shown.start / 1000 + 60}`)).body;

  it('corrected, moves its track, keeps its first species and shows both visits at once', async () => {
    const before = (await timeline())[0].id;
    const { status, body, headers } = await tits.correct(shown.ids[0], tits.coalTit);
    expectShape(ReviewedSchema, body);
    expect([status, body.species_id, body.updated_count]).toEqual([200, tits.coalTit, 2]);
    expect(headers['x-hub-consistency-token']).toMatch(/^[\w-]+:\d+$/);
    expect(await tits.rowsOf(shown.videoId)).toEqual([
      { id: shown.ids[0], name: 'Coal Tit', originalName: 'Great Tit', reviewed: true },
      { id: shown.ids[1], name: 'Coal Tit', originalName: 'Great Tit', reviewed: true },
      { id: shown.ids[2], name: 'Great Tit', originalName: null, reviewed: false },
    ]);
    expect(await timeline()).toMatchObject([
      { id: before, species: { name: 'Great Tit' }, detections: [{ id: shown.ids[2] }] },
      {
        id: body.visit_id,
        species: { name: 'Coal Tit' },
        detections: [{ id: shown.ids[1] }, { id: shown.ids[0] }],
      },
    ]);
  });

  it('corrected, writes an activity entry and an event', async () => {
    const { body } = await tits.correct(shown.ids[0], tits.coalTit);
    expect(await tits.activity()).toEqual([
      {
        type: 'species_correction',
        data: {
          by: 'contributor',
          detection_ids: [shown.ids[0], shown.ids[1]],
          from_species_ids: [tits.greatTit],
          to_species_id: tits.coalTit,
          apply_scope: 'single_track',
        },
      },
    ]);
    const [corrected, started] = await tits.publishedEvents();
    expect(corrected).toMatchObject({
      subject: 'hub.v1.detection.corrected',
      payload: {
        detection_ids: [shown.ids[0], shown.ids[1]],
        video_id: shown.videoId,
        to_species_id: tits.coalTit,
      },
    });
    expect(corrected.payload.visit_ids).toContain(body.visit_id);
    expect(started).toMatchObject({
      subject: 'hub.v1.visit.started',
      payload: { visit_id: body.visit_id, species_name: 'Coal Tit' },
    });
  });

  it('corrected with its visit, moves the detections of other recordings in the visit', async () => {
    const other = await query.post({ start: shown.start + 30_000 });
    const { body } = await tits.correct(shown.ids[2], tits.marshTit, { apply_scope: 'visit' });
    expect(body.updated_count).toBe(4);
    expect([await tits.namesOf(shown.videoId), await tits.namesOf(other.videoId)]).toEqual([
      ['Marsh Tit', 'Marsh Tit', 'Marsh Tit'],
      ['Marsh Tit'],
    ]);
    expect(
      (await tits.publishedEvents()).filter(({ subject }) => subject === 'hub.v1.detection.corrected'),
    ).toHaveLength(2);
    expect((await tits.revert(shown.ids[2])).body.updated_count).toBe(4);
    expect(await tits.namesOf(other.videoId)).toEqual(['Great Tit']);
  });

  it('corrected to its own species, is unchanged', async () => {
    const before = await tits.rowsOf(shown.videoId);
    const { status, body, headers } = await tits.correct(shown.ids[0], tits.greatTit);
    expect([status, body.updated_count, headers['x-hub-consistency-token']]).toEqual([200, 0, undefined]);
    expect(body.visit_id).toBe((await timeline())[0].id);
    expect(await tits.rowsOf(shown.videoId)).toEqual(before);
    expect([await tits.publishedEvents(), await tits.activity()]).toEqual([[], []]);
  });

  it.each(['Unknown', 'Bird'])('corrected to the generic %s, has that species', async (name) => {
    await tits.correct(shown.ids[2], await speciesIdOf(query, name));
    expect((await tits.namesOf(shown.videoId))[2]).toBe(name);
  });

  it('of a track with two species, corrected to one of them, is reviewed with the whole track', async () => {
    const mixed = [aDetection({ trackId: '7' }), aDetection({ trackId: '7', speciesName: 'Coal Tit' })];
    const { videoId: id } = await query.post({ start: shown.start + 20 * minute, detections: mixed });
    const [first] = await tits.rowsOf(id);
    expect((await tits.correct(first?.id, tits.coalTit)).body.updated_count).toBe(2);
    expect((await tits.rowsOf(id)).map((row) => [row.name, row.reviewed])).toEqual([
      ['Coal Tit', true],
      ['Coal Tit', true],
    ]);
  });

  it('confirmed, is reviewed with its track and leaves the list of unknowns', async () => {
    await query.setSettings({ ui: { unknown_confidence_threshold: 0.95 } });
    const window = `start_time=${shown.start / 1000}&end_time=${shown.start / 1000 + 60}`;
    const doubtful = async () =>
      (await query.get(`/api/ui/unknowns?${window}`)).body.map((row: { id: number }) => row.id);
    expect((await doubtful()).sort()).toEqual(shown.ids);
    const { status, body } = await tits.confirm(shown.ids[0]);
    expect([status, body.updated_count, body.species_id]).toEqual([200, 2, tits.greatTit]);
    expect(await doubtful()).toEqual([shown.ids[2]]);
    expect(await tits.activity()).toEqual([
      {
        type: 'detection_confirmed',
        data: {
          by: 'contributor',
          detection_ids: [shown.ids[0], shown.ids[1]],
          species_ids: [tits.greatTit],
        },
      },
    ]);
    expect(await tits.publishedEvents()).toEqual([]);
  });

  it('confirmed again, is unchanged', async () => {
    await tits.confirm(shown.ids[0]);
    const { body, headers } = await tits.confirm(shown.ids[1]);
    expect([body.updated_count, headers['x-hub-consistency-token']]).toEqual([0, undefined]);
    expect(await tits.activity()).toHaveLength(1);
  });

  it('read by its id, has its recording, visit and species', async () => {
    const { status, body } = await query.get(`/api/ui/detections/${shown.ids[0]}`);
    const { rows } = await query.database.pool.query(
      'SELECT video_id, visit_id FROM detection WHERE id = $1',
      [shown.ids[0]],
    );
    expect([status, body]).toMatchObject([
      200,
      { ...rows[0], id: shown.ids[0], species_id: tits.greatTit, species_name: 'Great Tit' },
    ]);
    expect((await query.get('/api/ui/detections/999999')).body.code).toBe('detection_not_found');
  });

  it('with an unknown id, is 404', async () => {
    const none = 999_999;
    const asked = [tits.correct(none, tits.coalTit), tits.confirm(none), tits.revert(none)];
    for (const { status, body } of await Promise.all(asked))
      expect([status, body.code]).toEqual([404, 'detection_not_found']);
  });

  it('corrected to a species merged into another, has that other one', async () => {
    const mallard = await tits.merge('Mallard', tits.coalTit);
    expect((await tits.correct(shown.ids[0], mallard)).body).toMatchObject({
      species_id: tits.coalTit,
      updated_count: 2,
    });
  });

  it('corrected to an unknown species, is 404', async () => {
    const { status, body } = await tits.correct(shown.ids[0], Number.MAX_SAFE_INTEGER);
    expect([status, body.code]).toEqual([404, 'species_not_found']);
  });

  it.each([
    [{}, '/species_id'],
    [{ species_id: '3' }, '/species_id'],
    [{ species_id: 0 }, '/species_id'],
    [{ species_id: 1, apply_scope: 'all' }, '/apply_scope'],
    [{ species_id: 1, reviewed: true }, '/reviewed'],
  ])('with %j, is refused naming the field', async (given, path) => {
    const { status, body } = await query.change('PATCH', `/api/ui/detections/${shown.ids[0]}`, given);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });
});

describe('a reverted verdict', () => {
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

  it('after two corrections and two reverts, restores each species in turn', async () => {
    await tits.correct(shown.ids[0], tits.coalTit);
    await tits.correct(shown.ids[0], tits.marshTit);
    expect((await tits.revert(shown.ids[0])).body).toMatchObject({
      species_id: tits.coalTit,
      updated_count: 2,
    });
    expect((await tits.rowsOf(shown.videoId))[0]).toMatchObject({
      name: 'Coal Tit',
      originalName: 'Great Tit',
      reviewed: true,
    });
    expect((await tits.revert(shown.ids[0])).body).toMatchObject({
      species_id: tits.greatTit,
      updated_count: 2,
    });
    expect(await tits.rowsOf(shown.videoId)).toMatchObject(
      shown.ids.map(() => ({ name: 'Great Tit', originalName: null, reviewed: false })),
    );
    const { status, body } = await tits.revert(shown.ids[0]);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.error).toBe('There is no correction of this detection to revert.');
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

  it('after a later correction of some tracks, leaves these unchanged', async () => {
    await tits.correct(shown.ids[2], tits.coalTit, { apply_scope: 'visit' });
    await tits.correct(shown.ids[0], tits.marshTit);
    expect((await tits.revert(shown.ids[2])).body.updated_count).toBe(1);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Marsh Tit', 'Marsh Tit', 'Great Tit']);
    await tits.revert(shown.ids[0]);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Coal Tit', 'Coal Tit', 'Great Tit']);
    await tits.revert(shown.ids[0]);
    expect(await tits.namesOf(shown.videoId)).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('after a post with more parts, is reverted in all of them', async () => {
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

  it('of a confirmation, makes the detection unreviewed again', async () => {
    await tits.confirm(shown.ids[2]);
    expect((await tits.revert(shown.ids[2])).body).toMatchObject({
      updated_count: 1,
      species_id: tits.greatTit,
    });
    expect((await tits.rowsOf(shown.videoId))[2]?.reviewed).toBe(false);
  });

  it('after ten corrections at once, restores the first species', async () => {
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

  it('to a species merged meanwhile, restores the other one', async () => {
    const willowTit = await speciesIdOf(query, 'Willow Tit');
    await tits.correct(shown.ids[2], willowTit);
    await tits.correct(shown.ids[2], tits.marshTit);
    await tits.merge('Willow Tit', tits.coalTit);
    expect((await tits.revert(shown.ids[2])).body.species_id).toBe(tits.coalTit);
  });
});
