import { insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { readPlan } from '../testing/read-plan.js';
import { minute } from '../testing/timeline.js';
import { overviewSql } from './overview.store.js';

describe('GET /overview on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  const day = 86_400_000;
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
  });
  afterAll(() => query.close());

  it('ten and ten thousand of them, takes one statement beside that of the weather', async () => {
    const path = `/api/ui/overview?start_time=${from / 1000}&end_time=${(from + 30 * day) / 1000}`;
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(2);
    await insertManyVisits(query.database.pool, { count: 9_990, from: from + day, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(2);
    expect((await query.get(path)).body.stats.totalDetections).toBe(10_000);
  });

  it.each([1, 3])('%d days of them, reads no table of history as a whole', async (days) => {
    const end = from + days * day;
    const plan = await readPlan(query.database.pool, overviewSql, [
      new Date(from),
      new Date(end),
      [new Date(from)],
      [0],
      new Date(end),
    ]);
    expect(plan).toMatch(/Index Scan using detection_visit_id_end_time_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
