import { createSpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import { dayWindowAt, nextDay } from '@birdhub/shared/time';
import { aRecording } from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

const minute = 60_000;
const hour = 60 * minute;

/** Both changes of the clock of each zone; Kathmandu has none, so the turn of a month and of a year. */
const changes = [
  ['Europe/London', '2026-03-29T01:00:00Z'],
  ['Europe/London', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Asia/Kathmandu', '2026-05-31T18:15:00Z'],
  ['Asia/Kathmandu', '2025-12-31T18:15:00Z'],
] as const;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('days, months and visits', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  async function beginIn(timezone: string): Promise<void> {
    const { pool } = query.database;
    await pool.query(
      'TRUNCATE video, species_visit, visit_day, visit_month, species_total, hub_counter, outbox CASCADE',
    );
    await rebuildVisits(pool, createSpeciesDirectory(pool), { wanted: { gapMs: minute, timezone } });
    await query.setSettings({ general: { timezone } });
    await query.ring({ kind: 'everything' });
  }

  async function inCalendar(parameters: string): Promise<number> {
    const { body } = await query.get(`/api/ui/migration-calendar?${parameters}`);
    return sum(body.species.map((row: { total: number }) => row.total));
  }

  it.each(changes)('visits in %s around %s, are as many by day, by hour and by month', async (zone, at) => {
    const change = Date.parse(at);
    const anyStart = fc
      .integer({ min: -2 * 24 * 4, max: 2 * 24 * 4 })
      .map((quarter) => change + quarter * 15 * minute);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyStart, { minLength: 1, maxLength: 12 }), async (starts) => {
        await beginIn(zone);
        for (const start of starts) await query.post(aRecording({ start }));
        let total = 0;
        const end = change + 50 * hour;
        for (
          let { day } = dayWindowAt(zone, change - 50 * hour);
          dayWindowAt(zone, end).day >= day;
          day = nextDay(day)
        ) {
          const { stats, topSpecies } = (await query.get(`/api/ui/overview?date=${day}`)).body;
          const byHour = topSpecies.flatMap((species: { detections: number[] }) => species.detections);
          expect(sum(byHour)).toBe(stats.totalDetections);
          expect(await inCalendar(`start_date=${day}&end_date=${day}`)).toBe(stats.totalDetections);
          total += stats.totalDetections;
        }
        expect(total).toBe(starts.length);
        expect(await inCalendar('')).toBe(starts.length);
        expect(await inCalendar('start_year=2025&end_year=2026')).toBe(starts.length);
      }),
      { numRuns: 6 },
    );
  });
});
