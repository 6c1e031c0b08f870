import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  storeSettings,
  type TestDatabase,
  type TestWriter,
  testAuthor,
} from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemapProgress } from './remap.js';

const start = Date.UTC(2026, 4, 1, 8);
const minute = 60_000;

describe('remapping of past detections', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  afterAll(() => database.drop());

  const rows = async (sql: string) => (await database.pool.query(sql)).rows;
  const speciesInOrder = async () =>
    (
      await rows('SELECT name FROM detection JOIN species ON species.id = species_id ORDER BY detection.id')
    ).map((row) => row.name);
  async function setMapping(species_mapping: object): Promise<void> {
    await storeSettings(database.pool, { detection: { species_mapping } });
    hub.settings.forget();
  }
  async function postAt(at: number, speciesName: string): Promise<void> {
    const detections = [aDetection({ speciesName })];
    await hub.writer.post(
      aRecording({ start: start + at * minute, videoPath: `${at}.mp4`, detections }),
      'test',
    );
  }

  it('a mapping added and removed again, moves unreviewed detections there and back', async () => {
    for (const [at, name] of ['Tit One', 'tit-one', 'Tit Two', 'Tit One'].entries())
      await postAt(at * 10, name);
    const [, , , last] = await rows('SELECT id FROM detection ORDER BY id');
    await hub.writer.confirm(last.id, testAuthor);
    await setMapping({ 'Tit One': 'Tit Two' });
    expect((await hub.writer.remap()).moved).toBe(2);
    expect(await speciesInOrder()).toEqual(['Tit Two', 'Tit Two', 'Tit Two', 'Tit One']);
    expect(await rows('SELECT id FROM detection WHERE original_species_id IS NOT NULL')).toEqual([]);
    expect(await rows('SELECT id FROM detection WHERE reviewed')).toEqual([{ id: last.id }]);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
    expect((await hub.writer.remap()).moved).toBe(0);
    await setMapping({});
    expect((await hub.writer.remap()).moved).toBe(2);
    expect(await speciesInOrder()).toEqual(['Tit One', 'Tit One', 'Tit Two', 'Tit One']);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('a long history, interrupted and resumed during posts, is remapped completely', async () => {
    for (let at = 100; at < 250; at += 1) await postAt(at, at % 2 ? 'Long One' : 'Other');
    await setMapping({ 'Long One': 'Long Two' });
    const stop = new AbortController();
    const seen: RemapProgress[] = [];
    const first = await hub.writer.remap({
      signal: stop.signal,
      onProgress(progress) {
        seen.push(progress);
        stop.abort();
      },
    });
    expect(seen).toEqual([first]);
    expect(first.moved).toBe(60);
    const [second] = await Promise.all([
      hub.writer.remap({ afterId: first.lastId }),
      postAt(251, 'Long One'),
    ]);
    expect(second.moved).toBe(15);
    expect(new Set((await speciesInOrder()).filter((name) => name.startsWith('Long')))).toEqual(
      new Set(['Long Two']),
    );
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });
});
