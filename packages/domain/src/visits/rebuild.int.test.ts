import { openDatabase } from '@birdhub/shared/db';
import {
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  type TestDatabase,
  type TestWriter,
} from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isVisitRule, type RebuildProgress, rebuildVisits } from './rebuild.js';

const evening = Date.UTC(2026, 4, 2, 3, 30);
const utc = { gapMs: 60_000, timezone: 'UTC' };

describe('rebuilding visits', () => {
  let database: TestDatabase;
  let hub: TestWriter;
  beforeAll(async () => {
    database = await createTestDatabase();
    hub = createTestWriter(database.pool);
  });
  beforeEach(async () => {
    await rebuildVisits({ pool: database.pool, ...hub }, { rule: utc });
    await database.pool.query(
      'TRUNCATE video, species_visit, visit_day, visit_month, species_total, hub_counter, outbox CASCADE',
    );
  });
  afterAll(() => database.drop());

  async function postAt(...minutes: number[]): Promise<void> {
    for (const minute of minutes) {
      const start = evening + minute * 60_000;
      await hub.writer.post(aRecording({ start, videoPath: `${minute}.mp4` }), 'test');
    }
  }

  const rows = async (sql: string) => (await database.pool.query(sql)).rows;
  const days = () => rows('SELECT day, visits, seconds::float8 FROM visit_day ORDER BY day');
  const visits = () => rows('SELECT id, start_time FROM species_visit ORDER BY start_time');

  it('that fails in its progress report, changes nothing', async () => {
    await postAt(0, 3, 30);
    const before = await readStoredState(database.pool);
    const reported: RebuildProgress[] = [];
    const report = async (progress: RebuildProgress) => {
      reported.push(progress);
      if (progress.detections === 2) throw new Error('enough');
    };
    const rule = { gapMs: 300_000, timezone: 'UTC' };
    await expect(rebuildVisits({ pool: database.pool, ...hub }, { rule, report })).rejects.toThrow('enough');
    expect(reported.at(-1)).toEqual({ detections: 2, visits: 1 });
    expect(await readStoredState(database.pool)).toEqual(before);
    expect(await isVisitRule(database.pool, utc)).toBe(true);
  });

  it('in another zone, moves days and keeps the visits', async () => {
    await postAt(0, 10, 60);
    expect(await days()).toEqual([{ day: '2026-05-02', visits: 3, seconds: 6 }]);
    const before = await visits();
    const newYork = { gapMs: 60_000, timezone: 'America/New_York' };
    await rebuildVisits({ pool: database.pool, ...hub }, { rule: newYork });
    expect(await days()).toEqual([
      { day: '2026-05-01', visits: 2, seconds: 4 },
      { day: '2026-05-02', visits: 1, seconds: 2 },
    ]);
    expect(await visits()).toEqual(before);
    expect(await isVisitRule(database.pool, newYork)).toBe(true);
    expect(await isVisitRule(database.pool, utc)).toBe(false);
    await postAt(20);
    expect(await days()).toMatchObject([
      { day: '2026-05-01', visits: 3 },
      { day: '2026-05-02', visits: 1 },
    ]);
  });

  it('with a longer gap, joins visits under the earlier id, and with the shorter one separates them again', async () => {
    await postAt(0, 3, 30);
    const before = await visits();
    await rebuildVisits({ pool: database.pool, ...hub }, { rule: { gapMs: 300_000, timezone: 'UTC' } });
    expect((await visits()).map(({ id }) => id)).toEqual([before[0].id, before[2].id]);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
    expect(await rebuildVisits({ pool: database.pool, ...hub }, { rule: utc })).toBe(3);
    expect((await visits()).map(({ id }) => id)).toEqual([before[0].id, expect.any(Number), before[2].id]);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('on a pool with a single connection, completes', async () => {
    await postAt(0);
    const log = pino({ level: 'silent' });
    const single = openDatabase({ url: database.url, max: 1, name: 'single', log });
    expect(await rebuildVisits({ pool: single.pool, ...createTestWriter(single.pool) }, { rule: utc })).toBe(
      1,
    );
    await single.close();
  });

  it('while recordings are posted, results in the visits of the rule', async () => {
    await postAt(0, 3);
    const rebuilds = [90_000, 240_000, 60_000].map((gapMs) =>
      rebuildVisits({ pool: database.pool, ...hub }, { rule: { gapMs, timezone: 'UTC' } }),
    );
    await Promise.all([postAt(1, 2, 5), postAt(4, 9, 11), ...rebuilds]);
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('that fails half-way, changes nothing', async () => {
    await postAt(0, 3);
    const before = await readStoredState(database.pool);
    await expect(
      rebuildVisits({ pool: database.pool, ...hub }, { rule: { gapMs: 300_000, timezone: 'No/Where' } }),
    ).rejects.toThrow();
    expect(await readStoredState(database.pool)).toEqual(before);
    expect(await rows('SELECT gap_ms, timezone FROM visit_rule')).toEqual([
      { gap_ms: 60_000, timezone: 'UTC' },
    ]);
  });
});
