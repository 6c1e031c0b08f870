import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.js';
import { readExpectedState, readStoredState } from '../testing/stored-visits.js';
import { aDetection, aRecording, createTestWriter, type TestWriter } from '../testing/writer.js';
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
const anyRemoval = fc.record({ kind: fc.constant('remove' as const), choice: fc.nat() });
const anyGap = fc.record({
  kind: fc.constant('gap' as const),
  gapMs: fc.constantFrom(0, 10_000, 30_000, 60_000),
});

const anyStep = fc.oneof(
  { weight: 6, arbitrary: anyPost },
  { weight: 2, arbitrary: anyCorrection },
  { weight: 1, arbitrary: anyRemoval },
  { weight: 1, arbitrary: anyGap },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

describe('recording writer', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let speciesIds: Map<string, number>;

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
         species_total, hub_counter, outbox, video_food`,
    );
    await database.pool.query('UPDATE visit_rule SET gap_ms = 60000');
  }

  async function pick(table: 'detection' | 'video', choice: number): Promise<number | undefined> {
    const { rows } = await database.pool.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`);
    return rows[choice % Math.max(1, rows.length)]?.id;
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'gap') {
      await rebuildVisits(database.pool, hub.directory, { gapMs: step.gapMs, timezone: 'UTC' });
      return;
    }
    if (step.kind === 'post') {
      const start = base + step.start * 1000;
      const detections = step.rows.map(({ length, ...row }) =>
        aDetection({ ...row, endOffset: row.startOffset + length }),
      );
      const recording = aRecording({
        start,
        end: start + 60_000,
        videoPath: `${step.key}.mp4`,
        cameraId: step.camera,
        detections,
      });
      await Promise.all([hub.writer.post(recording, 'test'), hub.writer.post(recording, 'test')]);
      return;
    }
    const id = await pick(step.kind === 'correct' ? 'detection' : 'video', step.choice);
    if (id === undefined) return;
    if (step.kind === 'remove') await hub.writer.remove(id, 'test');
    else {
      const speciesId = speciesIds.get(step.speciesName) ?? 0;
      await hub.writer.correct({ detectionId: id, speciesId, scope: step.scope }, 'test');
    }
  }

  it('random posts, repeats, corrections, deletions and gap changes, leave what the rule says of the detections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
        await clear();
        for (const step of steps) await take(step);
        expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
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
