import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { readPlan } from '../testing/read-plan.js';
import { calendarSql } from './migration-calendar.store.js';

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
    query = await createTestQuery({ answerCacheMb: 0 });
    await query.database.pool.query(tenYearsOfDays);
    await query.database.pool.query(theirMonths);
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
  ])('%s, reads by index what it counts and no more', async (_, values) => {
    const sql = calendarSql({ catalog: 'active', evidence: 'all', metric: 'visits' });
    const plan = await readPlan(query.database.pool, sql, values);
    expect(plan).toMatch(/Index Scan (using|on) visit_month_pkey/);
    expect(plan).not.toMatch(/Seq Scan on (visit_day|visit_month|species_visit|detection)\b/);
  });
});
