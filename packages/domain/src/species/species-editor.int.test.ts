import { ChangeNotifier } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  emptyTables,
  readExpectedState,
  readStoredState,
  recordingTables,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpeciesEditor } from './species-editor.js';

const base = Date.UTC(2026, 4, 1, 23, 50);
const names = ['Grand', 'Parent', 'First Child', 'Second Child', 'Stranger'];
const parents: Record<string, string> = {
  Parent: 'Grand',
  'First Child': 'Parent',
  'Second Child': 'Parent',
};
const anyName = fc.constantFrom(...names);

const anyRow = fc.record({
  speciesName: anyName,
  source: fc.constantFrom('video' as const, 'audio' as const, 'audio' as const),
  startOffset: fc.nat({ max: 40 }),
  length: fc.nat({ max: 20 }),
});
const anyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      key: fc.nat({ max: 9 }),
      start: fc.nat({ max: 600 }),
      rows: fc.array(anyRow, { maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), choice: fc.nat(), name: anyName }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), name: anyName, into: anyName }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('separate' as const), choice: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('parent' as const),
      name: anyName,
      parent: fc.option(anyName),
    }),
  },
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const tables = [...recordingTables, 'species_merge', 'species_merge_detection'];

describe('species editor', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  let editor: SpeciesEditor;
  let ids: Map<string, number>;
  const idOf = (name: string) => ids.get(name) ?? 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    // Every change reads the tree again; the catalogue would make it large.
    await emptyTables(database.pool, ['species']);
    hub = createTestWriter(database.pool);
    const notifier = new ChangeNotifier(database.pool, pino({ level: 'silent' }));
    editor = new SpeciesEditor({ pool: database.pool, directory: hub.directory, notifier });
    ids = await hub.directory.resolve(names);
  });
  afterAll(() => database.drop());

  const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;

  async function clear(): Promise<void> {
    await emptyTables(database.pool, tables);
    for (const name of names) {
      const parent = parents[name];
      await rows('UPDATE species SET merged_into = NULL, parent_id = $2, active = false WHERE id = $1', [
        idOf(name),
        parent ? idOf(parent) : null,
      ]);
      await rows('UPDATE species_alias SET species_id = $1 WHERE key = lower($2)', [idOf(name), name]);
    }
    await rows('UPDATE visit_rule SET tree_revision = tree_revision + 1');
    hub.directory.forget();
  }

  const post = (key: number, start: number, detections: ReturnType<typeof aDetection>[]) => {
    const at = base + start * 1000;
    return hub.writer.post(
      aRecording({ start: at, end: at + 60_000, videoPath: `${key}.mp4`, cameraId: '', detections }),
      'test',
    );
  };
  const pick = async (sql: string, choice: number) => {
    const found = await rows(sql);
    return found[choice % Math.max(1, found.length)]?.id ?? 0;
  };

  async function take(step: Step): Promise<unknown> {
    if (step.kind === 'post') {
      const detections = step.rows.map(({ length, ...row }) =>
        aDetection({ ...row, endOffset: row.startOffset + length }),
      );
      return post(step.key, step.start, detections);
    }
    if (step.kind === 'merge') return editor.merge(idOf(step.name), idOf(step.into), 'test');
    if (step.kind === 'parent') {
      return editor.edit(
        idOf(step.name),
        { parentId: step.parent === null ? null : idOf(step.parent) },
        'test',
      );
    }
    if (step.kind === 'separate') {
      return editor.separate(await pick('SELECT id FROM species_merge ORDER BY id', step.choice), 'test');
    }
    const detectionId = await pick('SELECT id FROM detection ORDER BY id', step.choice);
    return hub.writer.correct({ detectionId, speciesId: idOf(step.name), scope: 'single_track' }, testAuthor);
  }

  /** A step that the rules refuse changes nothing. */
  const takeIfAllowed = (step: Step) =>
    take(step).catch((error: unknown) => {
      if (!(error instanceof HubError) || error.status >= 500) throw error;
    });

  it('random posts, corrections, merges, separations and tree moves, result in the visits of the rule', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 14 }), async (steps) => {
        await clear();
        for (const step of steps) await takeIfAllowed(step);
        expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
        const strays = await rows(
          `SELECT id FROM species WHERE merged_into IS NOT NULL AND (parent_id IS NOT NULL OR active
             OR EXISTS (SELECT FROM species child WHERE child.parent_id = species.id)
             OR EXISTS (SELECT FROM species_alias WHERE species_id = species.id)
             OR EXISTS (SELECT FROM detection WHERE species_id = species.id)
             OR EXISTS (SELECT FROM species target WHERE target.id = species.merged_into AND target.merged_into IS NOT NULL))`,
        );
        expect(strays).toEqual([]);
      }),
      { numRuns: 80 },
    );
  }, 300_000);

  it('any history, after a merge and its reversal, is unchanged', async () => {
    const posts = anyStep.filter((step) => step.kind === 'post');
    await fc.assert(
      fc.asyncProperty(
        fc.array(posts, { minLength: 1, maxLength: 8 }),
        anyName,
        anyName,
        async (steps, name, into) => {
          await clear();
          for (const step of steps) await take(step);
          const look = async () => ({
            state: await readStoredState(database.pool),
            species: await rows('SELECT id, parent_id, active, merged_into FROM species ORDER BY id'),
            aliases: await rows('SELECT key, species_id FROM species_alias ORDER BY key'),
            detections: await rows(
              'SELECT id, species_id, original_species_id, reviewed, reviewed_at, posted_name, plumage FROM detection ORDER BY id',
            ),
          });
          const before = await look();
          const merged = await editor.merge(idOf(name), idOf(into), 'test').catch((error: unknown) => {
            if (!(error instanceof HubError)) throw error;
          });
          if (!merged) return;
          expect((await editor.separate(merged.mergeId, 'test')).movedDetections).toBe(
            merged.movedDetections,
          );
          expect(await look()).toEqual(before);
        },
      ),
      { numRuns: 40 },
    );
  }, 300_000);

  it('merged visits, keep their ids if apart, and a close pair keeps that of the longer one', async () => {
    await clear();
    await post(1, 0, [aDetection({ speciesName: 'Stranger', endOffset: 2 })]);
    await post(2, 300, [aDetection({ speciesName: 'Grand', endOffset: 2 })]);
    await post(3, 600, [aDetection({ speciesName: 'Stranger', endOffset: 20 })]);
    await post(4, 630, [aDetection({ speciesName: 'Grand', endOffset: 2 })]);
    const before = await rows('SELECT id FROM species_visit ORDER BY start_time');
    const { movedDetections } = await editor.merge(idOf('Stranger'), idOf('Grand'), 'test');
    expect(movedDetections).toBe(2);
    const after = await rows('SELECT id, species_id FROM species_visit ORDER BY start_time');
    expect(after.map((row) => row.id)).toEqual(before.slice(0, 3).map((row) => row.id));
    expect(new Set(after.map((row) => row.species_id))).toEqual(new Set([idOf('Grand')]));
  });

  it('a merged species, resolves to the other by name and id, and an event is published', async () => {
    await clear();
    await post(1, 0, [aDetection({ speciesName: 'Stranger' })]);
    const { mergeId } = await editor.merge(idOf('Stranger'), idOf('Grand'), 'merge-1');
    const { videoId } = await post(2, 300, [aDetection({ speciesName: 'stranger' })]);
    const [posted] = await rows('SELECT id, species_id FROM detection WHERE video_id = $1', [videoId]);
    expect(posted.species_id).toBe(idOf('Grand'));
    expect((await hub.directory.tree()).current(idOf('Stranger'))).toBe(idOf('Grand'));
    const data = {
      merge_id: mergeId,
      species_id: idOf('Stranger'),
      into_species_id: idOf('Grand'),
      detections: 1,
    };
    expect(
      await rows(`SELECT payload, request_id FROM outbox WHERE subject = 'hub.v1.species.merged'`),
    ).toEqual([{ payload: data, request_id: 'merge-1' }]);
    expect(await rows(`SELECT data FROM activity_log WHERE type = 'species_merged'`)).toEqual([{ data }]);
  });

  it('detections reviewed or corrected since a merge, are kept when it is reverted', async () => {
    await clear();
    for (const at of [0, 1, 2, 3]) await post(at, at * 300, [aDetection({ speciesName: 'Stranger' })]);
    const { mergeId } = await editor.merge(idOf('Stranger'), idOf('Grand'), 'test');
    const detections = await rows('SELECT id FROM detection ORDER BY start_time');
    const [first, second] = detections;
    await hub.writer.correct(
      { detectionId: first.id, speciesId: idOf('Parent'), scope: 'single_track' },
      testAuthor,
    );
    await hub.writer.confirm(second.id, testAuthor);
    await post(9, 1_500, [aDetection({ speciesName: 'Stranger' })]);
    expect((await editor.separate(mergeId, 'test')).movedDetections).toBe(2);
    const species = await rows('SELECT species_id FROM detection ORDER BY start_time');
    const expected = ['Parent', 'Grand', 'Stranger', 'Stranger', 'Grand'];
    expect(species.map((row) => row.species_id)).toEqual(expected.map(idOf));
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
    await post(10, 1_800, [aDetection({ speciesName: 'Stranger' })]);
    expect(
      (await rows('SELECT species_id FROM detection ORDER BY start_time DESC LIMIT 1'))[0].species_id,
    ).toBe(idOf('Stranger'));
  });

  it('a correction made before a merge and reverted after it, leads to the merged species', async () => {
    await clear();
    await post(1, 0, [aDetection({ speciesName: 'Stranger' })]);
    const [{ id: detectionId }] = await rows('SELECT id FROM detection');
    const speciesOf = async () => (await rows('SELECT species_id FROM detection'))[0].species_id;
    await hub.writer.correct({ detectionId, speciesId: idOf('Parent'), scope: 'single_track' }, testAuthor);
    await editor.merge(idOf('Stranger'), idOf('Grand'), 'test');
    await hub.writer.revert(detectionId, testAuthor);
    expect(await speciesOf()).toBe(idOf('Grand'));
    await hub.writer.correct({ detectionId, speciesId: idOf('Parent'), scope: 'single_track' }, testAuthor);
    await hub.writer.correct({ detectionId, speciesId: idOf('Stranger'), scope: 'single_track' }, testAuthor);
    expect(await speciesOf()).toBe(idOf('Grand'));
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('chained merges, can only be reverted in reverse order', async () => {
    await clear();
    await post(1, 0, [aDetection({ speciesName: 'First Child' })]);
    const one = await editor.merge(idOf('First Child'), idOf('Second Child'), 'test');
    const two = await editor.merge(idOf('Second Child'), idOf('Stranger'), 'test');
    expect((await hub.directory.tree()).current(idOf('First Child'))).toBe(idOf('Stranger'));
    await expect(editor.separate(one.mergeId, 'test')).rejects.toMatchObject({ code: 'conflict' });
    await editor.separate(two.mergeId, 'test');
    expect((await hub.directory.tree()).current(idOf('First Child'))).toBe(idOf('Second Child'));
    await editor.separate(one.mergeId, 'test');
    await expect(editor.separate(one.mergeId, 'test')).rejects.toMatchObject({ code: 'conflict' });
    await expect(editor.separate(999_999, 'test')).rejects.toMatchObject({ code: 'merge_not_found' });
    expect((await rows('SELECT species_id FROM detection'))[0].species_id).toBe(idOf('First Child'));
  });

  it('posts during repeated merges and separations, result in the visits of the rule', async () => {
    await clear();
    const posts = Array.from({ length: 40 }, (_, at) =>
      post(at, (at * 37) % 600, [
        aDetection({ speciesName: names[at % 5] ?? '', source: at % 2 ? 'audio' : 'video' }),
      ]),
    );
    const changes = (async () => {
      for (let round = 0; round < 4; round += 1) {
        const { mergeId } = await editor.merge(idOf('First Child'), idOf('Second Child'), 'test');
        await editor.edit(idOf('Stranger'), { parentId: round % 2 ? null : idOf('Parent') }, 'test');
        await editor.separate(mergeId, 'test');
      }
    })();
    await Promise.all([...posts, changes]);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });
});
