import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.js';
import { ReferenceVerdicts, type StoredVerdict } from '../testing/reference-verdicts.js';
import { readExpectedState, readStoredState } from '../testing/stored-visits.js';
import { aDetection, anAuthor, aRecording, createTestWriter, type TestWriter } from '../testing/writer.js';
import { rebuildVisits } from '../visits/index.js';

const base = Date.UTC(2026, 4, 1, 23, 50);
const cases = 1_000;
const species = ['Grand', 'Parent', 'First Child', 'Second Child', 'Stranger'];

const anyRow = fc.record({
  speciesName: fc.constantFrom(...species),
  source: fc.constantFrom('video' as const, 'audio' as const),
  startOffset: fc.nat({ max: 40 }),
  length: fc.nat({ max: 20 }),
  trackId: fc.constantFrom(null, null, '1', '2'),
});

const anyPost = fc.record({
  kind: fc.constant('post' as const),
  key: fc.nat({ max: 5 }),
  camera: fc.constantFrom('', 'north'),
  start: fc.nat({ max: 900 }),
  rows: fc.array(anyRow, { maxLength: 5 }),
});
const anyCorrection = fc.record({
  kind: fc.constant('correct' as const),
  choice: fc.nat(),
  speciesName: fc.constantFrom(...species),
  scope: fc.constantFrom('single_track' as const, 'visit' as const),
});
const anyChoice = <T extends string>(kind: T) => fc.record({ kind: fc.constant(kind), choice: fc.nat() });
const anyGap = fc.record({
  kind: fc.constant('gap' as const),
  gapMs: fc.constantFrom(0, 10_000, 30_000, 60_000),
});

const anyStep = fc.oneof(
  { weight: 6, arbitrary: anyPost },
  { weight: 4, arbitrary: anyCorrection },
  { weight: 1, arbitrary: anyChoice('confirm') },
  { weight: 3, arbitrary: anyChoice('revert') },
  { weight: 1, arbitrary: anyChoice('remove') },
  { weight: 1, arbitrary: anyGap },
);
type StepOf<K> = Extract<typeof anyStep extends fc.Arbitrary<infer T> ? T : never, { kind: K }>;
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

describe('recording writer', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let speciesIds: Map<string, number>;
  let said: ReferenceVerdicts;

  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
    speciesIds = await hub.directory.resolve(species);
    const parentOf = { Parent: 'Grand', 'First Child': 'Parent', 'Second Child': 'Parent' };
    for (const [child, parent] of Object.entries(parentOf)) {
      await database.pool.query('UPDATE species SET parent_id = $2 WHERE id = $1', [
        speciesIds.get(child),
        speciesIds.get(parent),
      ]);
    }
    hub.directory.forget();
  });
  afterAll(() => database.drop());

  async function clear(): Promise<void> {
    await database.pool.query(
      `TRUNCATE video, deleted_video, detection, detection_track, species_visit, attached_run, visit_day, visit_month,
         species_total, hub_counter, outbox, video_food, correction, correction_detection, file_removal, activity_log`,
    );
    await database.pool.query('UPDATE visit_rule SET gap_ms = 60000');
    said = new ReferenceVerdicts();
  }

  async function listVerdicts(): Promise<StoredVerdict[]> {
    const { rows } = await database.pool.query<StoredVerdict>(
      `SELECT detection.id, posted.id AS "postedSpeciesId", species_id AS "speciesId", reviewed,
         source || ' ' || track_id AS track, video_id AS "videoId", visit_id AS "visitId",
         original_species_id AS original
       FROM detection JOIN species posted ON posted.name = posted_name ORDER BY detection.id`,
    );
    return rows;
  }

  async function post({ key, camera, start: after, rows }: StepOf<'post'>): Promise<void> {
    const start = base + after * 1000;
    const detections = rows.map(({ length, ...row }) =>
      aDetection({ ...row, endOffset: row.startOffset + length }),
    );
    const recording = aRecording({
      start,
      end: start + 60_000,
      videoPath: `${key}.mp4`,
      cameraId: camera,
      detections,
    });
    const [{ videoId, deleted }] = await Promise.all([
      hub.writer.post(recording, 'test'),
      hub.writer.post(recording, 'test'),
    ]);
    if (!deleted)
      said.post(
        videoId,
        (await listVerdicts()).filter((row) => row.videoId === videoId),
      );
  }

  async function remove({ choice }: StepOf<'remove'>): Promise<void> {
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM video ORDER BY id');
    const id = rows[choice % Math.max(1, rows.length)]?.id;
    if (id === undefined) return;
    await hub.writer.remove(id, anAuthor);
    said.remove(id);
  }

  async function revert(chosen: StoredVerdict): Promise<void> {
    const reverting = hub.writer.revert(chosen.id, anAuthor);
    if (said.revert(chosen)) await reverting;
    else await expect(reverting).rejects.toMatchObject({ code: 'conflict' });
  }

  async function review(step: StepOf<'correct' | 'confirm' | 'revert'>): Promise<void> {
    const all = await listVerdicts();
    const chosen = all[step.choice % Math.max(1, all.length)];
    if (!chosen) return;
    if (step.kind === 'revert') return revert(chosen);
    const isOfTrack = (row: StoredVerdict) =>
      row.id === chosen.id ||
      (row.videoId === chosen.videoId && row.track !== null && row.track === chosen.track);
    const isOfVisit = (row: StoredVerdict) => row.visitId === chosen.visitId;
    if (step.kind === 'confirm') {
      said.confirm(all.filter(isOfTrack), chosen);
      await hub.writer.confirm(chosen.id, anAuthor);
      return;
    }
    const { scope } = step;
    const speciesId = speciesIds.get(step.speciesName) ?? 0;
    said.correct(all.filter(scope === 'visit' ? isOfVisit : isOfTrack), speciesId);
    await hub.writer.correct({ detectionId: chosen.id, speciesId, scope }, anAuthor);
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'post') return post(step);
    if (step.kind === 'remove') return remove(step);
    if (step.kind !== 'gap') return review(step);
    await rebuildVisits(database.pool, hub.directory, { gapMs: step.gapMs, timezone: 'UTC' });
  }

  it('random posts, repeats, reviews, reversions, deletions and gap changes, leave what the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        await clear();
        for (const step of steps) await take(step);
        expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
        expect(await listVerdicts()).toMatchObject(said.expected());
      }),
      { numRuns: cases },
    );
  }, 300_000);

  it('posts of one species from many connections at once, leave what the rule says', async () => {
    await clear();
    const posts = Array.from({ length: 60 }, (_, index) => {
      const start = base + ((index * 37) % 60) * 20_000;
      const names = [species[index % species.length] ?? '', 'Parent'];
      const detections = names.map((speciesName, at) =>
        aDetection({ speciesName, source: at ? 'audio' : 'video', endOffset: 5 }),
      );
      return aRecording({ start, end: start + 10_000, videoPath: `${index}.mp4`, detections });
    });
    await Promise.all([...posts, ...posts].map((recording) => hub.writer.post(recording, 'test')));
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });
});
