import { aDetection } from '@birdhub/shared/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { getTimeline, minute, speciesIdOf } from '../testing/timeline.js';
import { ReviewedSchema } from './detections.schema.js';

interface Row {
  id: number;
  name: string;
  was: string | null;
  reviewed: boolean;
}

describe('a detection that a person looks at', () => {
  let query: TestQuery;
  let greatTit: number;
  let coalTit: number;
  let marshTit: number;
  let hour = 0;
  let videoId: number;
  let ids: number[];

  beforeAll(async () => {
    query = await createTestQuery();
    greatTit = await speciesIdOf(query, 'Great Tit');
    coalTit = await speciesIdOf(query, 'Coal Tit');
    marshTit = await speciesIdOf(query, 'Marsh Tit');
  });
  afterAll(() => query.close());

  const startOf = (given: number) => Date.UTC(2026, 4, 2, given);

  /** Great tits: two pieces of a track and one beside it, all one visit. */
  const detections = [
    aDetection({ trackId: '1' }),
    aDetection({ trackId: '1', startOffset: 3, endOffset: 4 }),
    aDetection({ startOffset: 5, endOffset: 6 }),
  ];

  const rowsOf = async (id: number) =>
    (
      await query.database.pool.query<Row>(
        `SELECT detection.id, species.name, original.name AS was, reviewed FROM detection
         JOIN species ON species.id = species_id LEFT JOIN species original ON original.id = original_species_id
         WHERE video_id = $1 ORDER BY detection.id`,
        [id],
      )
    ).rows;
  const namesOf = async (id = videoId) => (await rowsOf(id)).map((row) => row.name);

  beforeEach(async () => {
    hour += 1;
    videoId = (await query.post({ start: startOf(hour), detections })).videoId;
    ids = (await rowsOf(videoId)).map((row) => row.id);
    await query.database.pool.query('TRUNCATE outbox, activity_log');
  });

  const correct = (id: number | undefined, species_id: number, rest = {}) =>
    query.change('PATCH', `/api/ui/detections/${id}`, { species_id, ...rest });
  const confirm = (id: number | undefined) => query.change('POST', `/api/ui/detections/${id}/confirm`);
  const revert = (id: number | undefined) => query.change('POST', `/api/ui/detections/${id}/revert`);
  const timeline = async () =>
    (await getTimeline(query, `start_time=${startOf(hour) / 1000}&end_time=${startOf(hour) / 1000 + 60}`))
      .body;
  const told = async () =>
    (await query.database.pool.query('SELECT subject, payload FROM outbox ORDER BY id')).rows;
  const activity = async () =>
    (await query.database.pool.query('SELECT type, data FROM activity_log ORDER BY id')).rows;

  it('corrected, moves its track, keeps what it was and shows both visits at once', async () => {
    const before = (await timeline())[0].id;
    const { status, body, headers } = await correct(ids[0], coalTit);
    expectShape(ReviewedSchema, body);
    expect([status, body.species_id, body.updated_count]).toEqual([200, coalTit, 2]);
    expect(headers['x-hub-bell']).toMatch(/^[\w-]+:\d+$/);
    expect(await rowsOf(videoId)).toEqual([
      { id: ids[0], name: 'Coal Tit', was: 'Great Tit', reviewed: true },
      { id: ids[1], name: 'Coal Tit', was: 'Great Tit', reviewed: true },
      { id: ids[2], name: 'Great Tit', was: null, reviewed: false },
    ]);
    expect(await timeline()).toMatchObject([
      { id: before, species: { name: 'Great Tit' }, detections: [{ id: ids[2] }] },
      { id: body.visit_id, species: { name: 'Coal Tit' }, detections: [{ id: ids[1] }, { id: ids[0] }] },
    ]);
  });

  it('corrected, is told of in the log and by an event', async () => {
    const { body } = await correct(ids[0], coalTit);
    expect(await activity()).toEqual([
      {
        type: 'species_correction',
        data: {
          by: 'contributor',
          detection_ids: [ids[0], ids[1]],
          from_species_ids: [greatTit],
          to_species_id: coalTit,
          apply_scope: 'single_track',
        },
      },
    ]);
    const [corrected, started] = await told();
    expect(corrected).toMatchObject({
      subject: 'hub.v1.detection.corrected',
      payload: { detection_ids: [ids[0], ids[1]], video_id: videoId, to_species_id: coalTit },
    });
    expect(corrected.payload.visit_ids).toContain(body.visit_id);
    expect(started).toMatchObject({
      subject: 'hub.v1.visit.started',
      payload: { visit_id: body.visit_id, species_name: 'Coal Tit' },
    });
  });

  it('corrected with its visit, moves what other recordings have of it', async () => {
    const other = await query.post({ start: startOf(hour) + 30_000, videoPath: `${hour}-later.mp4` });
    const { body } = await correct(ids[2], marshTit, { apply_scope: 'visit' });
    expect(body.updated_count).toBe(4);
    expect([await namesOf(), await namesOf(other.videoId)]).toEqual([
      ['Marsh Tit', 'Marsh Tit', 'Marsh Tit'],
      ['Marsh Tit'],
    ]);
    expect((await told()).filter(({ subject }) => subject === 'hub.v1.detection.corrected')).toHaveLength(2);
    expect((await revert(ids[2])).body.updated_count).toBe(4);
    expect(await namesOf(other.videoId)).toEqual(['Great Tit']);
  });

  it('corrected to what it is, changes nothing', async () => {
    const before = await rowsOf(videoId);
    const { status, body, headers } = await correct(ids[0], greatTit);
    expect([status, body.updated_count, headers['x-hub-bell']]).toEqual([200, 0, undefined]);
    expect(body.visit_id).toBe((await timeline())[0].id);
    expect(await rowsOf(videoId)).toEqual(before);
    expect([await told(), await activity()]).toEqual([[], []]);
  });

  it.each(['Unknown', 'Bird'])('corrected to the generic %s, is that', async (name) => {
    await correct(ids[2], await speciesIdOf(query, name));
    expect((await namesOf())[2]).toBe(name);
  });

  it('a track that names two species, corrected to one of them, is reviewed whole', async () => {
    const mixed = [aDetection({ trackId: '7' }), aDetection({ trackId: '7', speciesName: 'Coal Tit' })];
    const { videoId: id } = await query.post({ start: startOf(hour) + 20 * minute, detections: mixed });
    const [first] = await rowsOf(id);
    expect((await correct(first?.id, coalTit)).body.updated_count).toBe(2);
    expect((await rowsOf(id)).map((row) => [row.name, row.reviewed])).toEqual([
      ['Coal Tit', true],
      ['Coal Tit', true],
    ]);
  });

  it('confirmed, is reviewed with its track and leaves the list of doubtful ones', async () => {
    await query.setSettings({ ui: { unknown_confidence_threshold: 0.95 } });
    const window = `start_time=${startOf(hour) / 1000}&end_time=${startOf(hour) / 1000 + 60}`;
    const doubtful = async () =>
      (await query.get(`/api/ui/unknowns?${window}`)).body.map((row: { id: number }) => row.id);
    expect((await doubtful()).sort()).toEqual(ids);
    const { status, body } = await confirm(ids[0]);
    expect([status, body.updated_count, body.species_id]).toEqual([200, 2, greatTit]);
    expect(await doubtful()).toEqual([ids[2]]);
    expect(await activity()).toEqual([
      {
        type: 'detection_confirmed',
        data: { by: 'contributor', detection_ids: [ids[0], ids[1]], species_ids: [greatTit] },
      },
    ]);
    expect(await told()).toEqual([]);
  });

  it('confirmed again, changes nothing', async () => {
    await confirm(ids[0]);
    const { body, headers } = await confirm(ids[1]);
    expect([body.updated_count, headers['x-hub-bell']]).toEqual([0, undefined]);
    expect(await activity()).toHaveLength(1);
  });

  it('corrected twice and taken back twice, is what it was each time', async () => {
    await correct(ids[0], coalTit);
    await correct(ids[0], marshTit);
    expect((await revert(ids[0])).body).toMatchObject({ species_id: coalTit, updated_count: 2 });
    expect((await rowsOf(videoId))[0]).toMatchObject({ name: 'Coal Tit', was: 'Great Tit', reviewed: true });
    expect((await revert(ids[0])).body).toMatchObject({ species_id: greatTit, updated_count: 2 });
    expect(await rowsOf(videoId)).toMatchObject(
      ids.map(() => ({ name: 'Great Tit', was: null, reviewed: false })),
    );
    const { status, body } = await revert(ids[0]);
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.error).toBe('There is no correction of this detection to take back.');
    const [, , reverted] = await activity();
    expect(reverted).toMatchObject({
      type: 'correction_reverted',
      data: { by: 'contributor', detection_ids: [ids[0], ids[1]], to_species_ids: [coalTit] },
    });
  });

  it('taken back, leaves alone what another correction has moved since', async () => {
    await correct(ids[2], coalTit, { apply_scope: 'visit' });
    await correct(ids[0], marshTit);
    expect((await revert(ids[2])).body.updated_count).toBe(1);
    expect(await namesOf()).toEqual(['Marsh Tit', 'Marsh Tit', 'Great Tit']);
    await revert(ids[0]);
    expect(await namesOf()).toEqual(['Coal Tit', 'Coal Tit', 'Great Tit']);
    await revert(ids[0]);
    expect(await namesOf()).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('posted again in more pieces, is taken back in all of them', async () => {
    await correct(ids[0], coalTit);
    const pieces = [0, 2, 4].map((startOffset) =>
      aDetection({ trackId: '1', startOffset, endOffset: startOffset + 1 }),
    );
    await query.post({ start: startOf(hour), detections: pieces });
    expect(await namesOf()).toEqual(['Coal Tit', 'Coal Tit', 'Coal Tit']);
    const newest = (await rowsOf(videoId)).at(-1);
    expect((await revert(newest?.id)).body.updated_count).toBe(3);
    expect(await namesOf()).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('a confirmation taken back, is to be looked at again', async () => {
    await confirm(ids[2]);
    expect((await revert(ids[2])).body).toMatchObject({ updated_count: 1, species_id: greatTit });
    expect((await rowsOf(videoId))[2]?.reviewed).toBe(false);
  });

  it('corrected by ten at once, ends as one of them said, and is taken back to the start', async () => {
    const said = [coalTit, marshTit];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => correct(ids[0], said[index % 2] ?? 0)),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200));
    const changes = replies.filter((reply) => reply.body.updated_count > 0).length;
    for (let index = 0; index < changes; index += 1) expect((await revert(ids[0])).status).toBe(200);
    expect((await revert(ids[0])).status).toBe(409);
    expect(await namesOf()).toEqual(['Great Tit', 'Great Tit', 'Great Tit']);
  });

  it('that is not there, is not found', async () => {
    for (const reply of [await correct(999_999, coalTit), await confirm(999_999), await revert(999_999)])
      expect([reply.status, reply.body.code]).toEqual([404, 'detection_not_found']);
  });

  it('corrected to a species that is not there, is not', async () => {
    const { status, body } = await correct(ids[0], Number.MAX_SAFE_INTEGER);
    expect([status, body.code]).toEqual([404, 'species_not_found']);
  });

  it.each([
    [{}, '/species_id'],
    [{ species_id: '3' }, '/species_id'],
    [{ species_id: 0 }, '/species_id'],
    [{ species_id: 1, apply_scope: 'all' }, '/apply_scope'],
    [{ species_id: 1, reviewed: true }, '/reviewed'],
  ])('%j, is refused by name', async (given, path) => {
    const { status, body } = await query.change('PATCH', `/api/ui/detections/${ids[0]}`, given);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });
});
