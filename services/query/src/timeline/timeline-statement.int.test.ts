import { insertManyVisits } from '@birdhub/shared/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { hour, minute } from '../testing/timeline.js';
import { timelineSql } from './timeline-sql.js';

describe('GET /timeline on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
  });
  afterAll(() => query.close());

  it('ten and ten thousand of them, takes one statement', async () => {
    const path = `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + 20 * 86_400}`;
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, { count: 9_990, from: from + hour, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(10_000);
  });

  it('an hour among thousands, reads no table of history as a whole', async () => {
    const window = [new Date(from + 24 * hour), new Date(from + 25 * hour)];
    const { rows } = await query.database.pool.query(`EXPLAIN ${timelineSql([])}`, [
      ...window,
      null,
      null,
      null,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using species_visit_start_time_id_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
