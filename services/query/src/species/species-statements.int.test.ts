import { insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { readPlan } from '../testing/read-plan.js';
import { hour, minute } from '../testing/timeline.js';
import { speciesSummarySql } from './species-summary-sql.js';
import { speciesVisitsSql } from './species-visits.store.js';

describe('a species with many visits', () => {
  let query: TestQuery;
  let speciesId: number;
  const everyMs = 30 * minute;
  const from = Date.UTC(2026, 0, 1);
  const end = from + 10_000 * everyMs;
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
    query.clock.set(end);
    const { rows } = await query.database.pool.query(
      `SELECT id FROM species WHERE rank = 'species' AND NOT generic ORDER BY id LIMIT 1`,
    );
    speciesId = rows[0].id;
  });
  afterAll(() => query.close());

  it('ten and ten thousand of them, takes as many statements', async () => {
    const path = `/api/ui/species/${speciesId}`;
    const { pool } = query.database;
    await insertManyVisits(pool, { count: 10, from, everyMs });
    expect(await query.countStatements(`${path}/summary`)).toBe(2);
    expect(await query.countStatements(`${path}/visits`)).toBe(1);
    await insertManyVisits(pool, { count: 9_990, from: from + 6 * hour, everyMs });
    expect(await query.countStatements(`${path}/summary`)).toBe(2);
    expect(await query.countStatements(`${path}/visits`)).toBe(1);
  });

  it.each([
    ['the summary', speciesSummarySql, () => [speciesId, new Date(end), [new Date(from)], [0], 'en']],
    ['the first page', speciesVisitsSql, () => [speciesId, null, null, 50, 1e9]],
    ['a later page', speciesVisitsSql, () => [speciesId, new Date(from), 1, 50, 1e9]],
  ])('%s, reads no table of history as a whole', async (_, sql, values) => {
    const plan = await readPlan(query.database.pool, sql, values());
    expect(plan).toMatch(/Index Scan Backward using species_visit_/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|video_food|species_visit)\b/);
  });
});
