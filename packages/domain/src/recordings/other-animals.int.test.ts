import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countedSql } from '../species/species-group.js';

const start = Date.UTC(2026, 4, 1, 8);
const minute = 60_000;

describe('other animals and noise', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let posted = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  afterAll(() => database.drop());

  const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
  const expectTrueNumbers = async () =>
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  const idOf = async (name: string) => (await rows('SELECT id FROM species WHERE name = $1', [name]))[0]?.id;
  /** The number of visits in the rollups: of birds only, and of all species. */
  const countVisits = async () =>
    (
      await rows(
        `SELECT coalesce(sum(visits) FILTER (WHERE ${countedSql()}), 0)::int AS birds, coalesce(sum(visits), 0)::int AS "all"
         FROM visit_day JOIN species ON species.id = species_id`,
      )
    )[0];
  async function post(...detections: ReturnType<typeof aDetection>[]) {
    posted += 1;
    const recording = { start: start + posted * 10 * minute, videoPath: `${posted}.mp4`, detections };
    return hub.writer.post(aRecording(recording), 'test');
  }
  const of = (speciesName: string, source: 'video' | 'audio' = 'video') =>
    aDetection({ speciesName, source });

  it('a squirrel on a camera, makes a visit that does not count as a bird', async () => {
    const before = await countVisits();
    const result = await post(of('Great Tit'), of('squirrel'));
    expect(result.visitIds).toHaveLength(2);
    expect(await countVisits()).toEqual({ birds: before.birds + 1, all: before.all + 2 });
    await expectTrueNumbers();
  });

  it.each([
    'Engine',
    'Fireworks',
    'Human vocal',
    'Power tools',
    'Siren',
    'Gun',
    'Environmental',
    'Noise',
    'Dog',
  ])('%s in the sound, makes no visit, and the recording is stored', async (label) => {
    const before = await countVisits();
    const result = await post(of(label, 'audio'));
    expect(result).toMatchObject({ created: true, detections: 0, dropped: 1, visitIds: [] });
    expect(await countVisits()).toEqual(before);
    await expectTrueNumbers();
  });

  it('a dog on a camera, counts as another animal', async () => {
    const before = await countVisits();
    expect((await post(of('dog'))).visitIds).toHaveLength(1);
    expect(await countVisits()).toEqual({ birds: before.birds, all: before.all + 1 });
  });

  it('noise beside a bird, is dropped, also when the recording is posted again', async () => {
    const first = await post(of('Great Tit', 'audio'), of('Engine', 'audio'));
    expect(first).toMatchObject({ detections: 1, dropped: 1 });
    posted -= 1;
    expect(await post(of('Great Tit', 'audio'), of('Siren', 'audio'))).toMatchObject({
      videoId: first.videoId,
      detections: 1,
    });
    await expectTrueNumbers();
  });

  it('a bird corrected to a squirrel and back, counts as each in turn, and the rollups are correct', async () => {
    const { videoId } = await post(of('Blue Jay'));
    const before = await countVisits();
    const [{ id }] = await rows('SELECT id FROM detection WHERE video_id = $1', [videoId]);
    const correct = async (name: string) =>
      hub.writer.correct({ detectionId: id, speciesId: await idOf(name), scope: 'single_track' }, testAuthor);
    await correct('Squirrel');
    expect(await countVisits()).toEqual({ birds: before.birds - 1, all: before.all });
    await expectTrueNumbers();
    await correct('Blue Jay');
    expect(await countVisits()).toEqual(before);
    await expectTrueNumbers();
    await correct('Eurasian Red Squirrel');
    await hub.writer.revert(id, testAuthor);
    expect(await countVisits()).toEqual(before);
    await expectTrueNumbers();
  });

  it('a correction to noise, is rejected and changes nothing', async () => {
    const { videoId } = await post(of('Blue Jay'));
    const [{ id }] = await rows('SELECT id FROM detection WHERE video_id = $1', [videoId]);
    const correction = { detectionId: id, speciesId: await idOf('Engine'), scope: 'single_track' } as const;
    await expect(hub.writer.correct(correction, testAuthor)).rejects.toMatchObject({ code: 'conflict' });
    expect(
      await rows('SELECT name FROM detection JOIN species ON species.id = species_id WHERE video_id = $1', [
        videoId,
      ]),
    ).toEqual([{ name: 'Blue Jay' }]);
    await expectTrueNumbers();
  });

  it('posts and corrections in any order, keep the rollups correct and store no noise', async () => {
    const labels = ['Great Tit', 'squirrel', 'Dog', 'Engine', 'cat', 'Human vocal', 'Blue Jay'];
    const step = fc.record({
      at: fc.nat({ max: 3 }),
      label: fc.constantFrom(...labels),
      source: fc.constantFrom('video', 'audio'),
      becomes: fc.option(fc.constantFrom('Squirrel', 'Great Tit', 'Cat')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const { at, label, source, becomes } of steps) {
          const recording = {
            start: start + 24 * 60 * minute + at * minute,
            videoPath: `any ${at} ${label} ${source}.mp4`,
            detections: [of(label, source)],
          };
          const { videoId } = await hub.writer.post(aRecording(recording), 'test');
          const [row] = await rows('SELECT id FROM detection WHERE video_id = $1', [videoId]);
          if (becomes === null || !row) continue;
          const speciesId = await idOf(becomes);
          await hub.writer.correct({ detectionId: row.id, speciesId, scope: 'single_track' }, testAuthor);
        }
        await expectTrueNumbers();
        expect(
          await rows(
            `SELECT 1 FROM detection JOIN species ON species.id = species_id WHERE species_group = 'noise'`,
          ),
        ).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});
