import { createSpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import { dayWindowAt, nextDay } from '@birdhub/shared/time';
import { aDetection, aRecording, writeUnchecked } from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { CalendarSchema } from './migration-calendar.schema.js';
import { calendarSql } from './migration-calendar.store.js';

interface Row {
  readonly name: string;
  readonly monthly_counts: number[];
  readonly total: number;
}

const months = (entries: Record<number, number>) =>
  Array.from({ length: 12 }, (_, at) => entries[at + 1] ?? 0);

describe('GET /migration-calendar', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  async function list(parameters = ''): Promise<[string, number[]][]> {
    const { body } = await query.get(`/api/ui/migration-calendar?${parameters}`);
    expectShape(CalendarSchema, body);
    for (const { monthly_counts, total } of body.species as Row[])
      expect(total).toBe(monthly_counts.reduce((sum, count) => sum + count, 0));
    return body.species.map(({ name, monthly_counts }: Row) => [name, monthly_counts]);
  }
  const post = (day: string, ...detections: ReturnType<typeof aDetection>[]) =>
    query.post(aRecording({ start: Date.parse(`${day}T08:00:00Z`), detections }));

  it('on a new hub, lists no active species and the whole catalogue with zeros', async () => {
    expect(await list()).toEqual([]);
    const full = await list('catalog=full');
    const { rows } = await query.database.pool.query(
      `SELECT name FROM species WHERE rank IN ('species', 'form') AND species_group = 'bird' AND NOT generic ORDER BY name`,
    );
    expect(full).toEqual(rows.map(({ name }) => [name, months({})]));
  });

  it('with visits of three years, counts by month, the highest total first, then by name', async () => {
    const tit = aDetection({ trackId: '1' });
    const robin = aDetection({ speciesName: 'European Robin', source: 'audio' });
    const wren = aDetection({ speciesName: 'Eurasian Wren' });
    await post('2023-12-31', tit, robin, aDetection({ speciesName: 'Bird' }));
    await post('2024-01-01', tit, aDetection({ trackId: '2' }));
    await post('2024-01-20', wren);
    await post('2025-01-31', tit);
    expect(await list()).toEqual([
      ['Great Tit', months({ 1: 2, 12: 1 })],
      ['Eurasian Wren', months({ 1: 1 })],
      ['European Robin', months({ 12: 1 })],
    ]);
    expect((await list('catalog=full')).slice(0, 3)).toEqual(await list());
  });

  it.each([
    [
      'metric=individuals',
      { 'Great Tit': { 1: 3, 12: 1 }, 'Eurasian Wren': { 1: 1 }, 'European Robin': { 12: 1 } },
    ],
    ['evidence=video', { 'Great Tit': { 1: 2, 12: 1 }, 'Eurasian Wren': { 1: 1 } }],
    ['evidence=video&metric=individuals', { 'Great Tit': { 1: 3, 12: 1 }, 'Eurasian Wren': { 1: 1 } }],
    ['start_year=2024', { 'Great Tit': { 1: 2 }, 'Eurasian Wren': { 1: 1 } }],
    ['end_year=2023', { 'European Robin': { 12: 1 }, 'Great Tit': { 12: 1 } }],
    ['start_year=2024&end_year=2024', { 'Eurasian Wren': { 1: 1 }, 'Great Tit': { 1: 1 } }],
    [
      'start_date=2023-12-31&end_date=2024-01-19',
      { 'Great Tit': { 1: 1, 12: 1 }, 'European Robin': { 12: 1 } },
    ],
    ['start_date=2024-01-02&end_date=2025-01-30', { 'Eurasian Wren': { 1: 1 } }],
    ['start_date=2024-01-02&end_date=2025-01-31', { 'Eurasian Wren': { 1: 1 }, 'Great Tit': { 1: 1 } }],
    ['start_date=2026-01-01', {}],
  ])('with %s, counts accordingly', async (parameters, expected) => {
    const rows = Object.entries(expected).map(([name, entries]) => [name, months(entries)]);
    expect(await list(parameters)).toEqual(rows);
  });

  it('with active species set by a processor, lists only these as active', async () => {
    await query.database.pool.query(`UPDATE species SET active = true WHERE name = 'Eurasian Wren'`);
    await query.notify({ kind: 'species' });
    expect((await list()).map(([name]) => name)).toEqual(['Eurasian Wren']);
    expect((await list('catalog=full'))[0]?.[0]).toBe('Great Tit');
  });

  it('in any case, names months and metric', async () => {
    const { body } = await query.get('/api/ui/migration-calendar?metric=individuals');
    expect(body.metric).toBe('individuals');
    expect(body.month_labels).toEqual('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '));
  });

  it.each([
    ['catalog=some', 'catalog'],
    ['evidence=smell', 'evidence'],
    ['metric=kilos', 'metric'],
    ['start_year=0', 'start_year'],
    ['end_year=20x4', 'end_year'],
    ['start_year=2025&end_year=2024', 'end_year'],
    ['start_date=2024-13-01', 'start_date'],
    ['end_date=yesterday', 'end_date'],
    ['start_date=2024-05-02&end_date=2024-05-01', 'end_date'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await query.get(`/api/ui/migration-calendar?${parameters}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it.each(['start_date=9999-12-15', 'end_date=0001-01-15', 'start_year=1&end_year=9999'])(
    'with %s at the edge of the calendar, returns 200',
    async (parameters) => {
      expect((await query.get(`/api/ui/migration-calendar?${parameters}`)).status).toBe(200);
    },
  );
});

const minute = 60_000;
const hour = 60 * minute;

/** Both clock changes of each zone; for Kathmandu, which has none, the ends of a month and of a year. */
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
    const { notifier } = query;
    const directory = createSpeciesDirectory(pool);
    await rebuildVisits({ pool, directory, notifier }, { rule: { gapMs: minute, timezone } });
    await query.setSettings({ general: { timezone } });
    await query.notify({ kind: 'everything' });
  }

  async function inCalendar(parameters: string): Promise<number> {
    const { body } = await query.get(`/api/ui/migration-calendar?${parameters}`);
    return sum(body.species.map((row: { total: number }) => row.total));
  }

  it.each(changes)('in %s around %s, have equal totals', async (zone, at) => {
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

const tenYearsOfDays = `
  INSERT INTO visit_day (day, species_id, visits, individuals, video_visits, detections, seconds)
  SELECT day, kind.id, 3, 4, 2, 9, 60 FROM generate_series('2016-01-01'::date, '2025-12-31', '1 day') day,
    (SELECT id FROM species WHERE rank = 'species' AND NOT generic ORDER BY id LIMIT 20) kind`;
const theirMonths = `
  INSERT INTO visit_month (year, month, species_id, visits, individuals, video_visits)
  SELECT span.year, extract(month FROM day), species_id, sum(visits), sum(individuals), sum(video_visits)
  FROM visit_day CROSS JOIN LATERAL (VALUES (extract(year FROM day)), (0)) AS span (year) GROUP BY 1, 2, 3`;

describe('GET /migration-calendar on ten years', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
    await writeUnchecked(query.database.pool, tenYearsOfDays);
    await writeUnchecked(query.database.pool, theirMonths);
    await query.database.pool.query('ANALYZE visit_day, visit_month, species');
  });
  afterAll(() => query.close());

  it.each(['', 'start_date=2016-01-02&end_date=2025-12-30'])(
    '%s, takes one statement',
    async (parameters) => {
      expect(await query.countStatements(`/api/ui/migration-calendar?${parameters}`)).toBe(1);
    },
  );

  it.each([
    ['all of it', [0, 1, 0, 12, [], []]],
    ['a year less a day', [2024, 2, 2024, 12, ['2024-01-02'], ['2024-01-31']]],
  ])('for %s, uses the index and no full scan', async (_, values) => {
    const sql = calendarSql({ catalog: 'active', evidence: 'all', metric: 'visits' });
    const plan = await readPlan(query.database.pool, sql, values);
    expect(plan).toMatch(/Index Scan (using|on) visit_month_pkey/);
    expect(plan).not.toMatch(/Seq Scan on (visit_day|visit_month|species_visit|detection)\b/);
  });
});
