import { insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { readPlan } from '../testing/read-plan.js';
import { minute } from '../testing/timeline.js';
import { unknownsSql } from './unknowns.store.js';

describe('GET /unknowns on many detections that nobody has reviewed', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  const path = `/api/ui/unknowns?start_time=${from / 1000}&end_time=${from / 1000 + 20 * 86_400}`;
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
    await query.setSettings({ ui: { unknown_confidence_threshold: 0.95 } });
  });
  afterAll(() => query.close());

  it('ten and ten thousand of them, takes one statement', async () => {
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, {
      count: 9_990,
      from: from + 60 * minute,
      everyMs: 2 * minute,
    });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(100);
  });

  it.each([
    ['most are doubtful', 0.95],
    ['none is', 0.5],
  ])('%s, finds them in the index alone', async (_, threshold) => {
    await query.database.pool.query('VACUUM detection');
    const window = [new Date(from), new Date(from + 20 * 86_400_000)];
    const plan = await readPlan(query.database.pool, unknownsSql, [...window, threshold, 100, '']);
    expect(plan).toMatch(/Index Only Scan Backward using detection_unreviewed_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
