import { insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { hour, minute } from '../testing/timeline.js';
import { maxDetections, maxItems } from './timeline-items-sql.js';
import { timelineSql } from './timeline-sql.js';

describe('GET /timeline on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    query = await createTestQuery({ answerCacheMb: 0 });
  });
  afterAll(() => query.close());

  const path = `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + 30 * 86_400}`;

  it('ten and ten thousand of them take one statement, and all of them come', async () => {
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    await insertManyVisits(query.database.pool, { count: 9_990, from: from + hour, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(1);
    expect((await query.get(path)).body).toHaveLength(10_000);
  });

  it('a window that has most of what there is, asked for again and again, is answered each time', async () => {
    for (let time = 1; time <= 8; time += 1) expect((await query.get(path)).status).toBe(200);
  });

  it('more than an answer may have, without a limit, come in two statements a page, with a link to the rest', async () => {
    const later = from + 20 * 24 * hour;
    await insertManyVisits(query.database.pool, { count: 10_002, from: later, everyMs: 80_000 });
    expect(await query.countStatements(path)).toBe(2);
    const { body, headers } = await query.get(path);
    expect(body).toHaveLength(maxItems);
    const next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1] ?? '';
    const rest = await query.get(next);
    expect(rest.body).toHaveLength(20_002 - maxItems);
    expect(rest.headers['link']).toBeUndefined();
  });

  it('a page ends with the item that makes it too many detections, and always has one', async () => {
    const { pool } = query.database;
    const counts = [maxDetections + 1, maxDetections - 1, 1, 1];
    for (const [at, count] of counts.entries())
      await pool.query('UPDATE species_visit SET detection_count = $2 WHERE start_time = $1', [
        new Date(from + hour + at * 2 * minute),
        count,
      ]);
    let next: string | undefined =
      `/api/ui/timeline?start_time=${(from + hour) / 1000}&end_time=${(from + hour + 7 * minute) / 1000}`;
    const lengths: number[] = [];
    while (next) {
      const page = await query.get(next);
      lengths.push(page.body.length);
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
    }
    expect(lengths).toEqual([3, 1]);
  });

  it('an hour among thousands, reads no table of history as a whole', async () => {
    const window = [new Date(from + 24 * hour), new Date(from + 25 * hour)];
    const { rows } = await query.database.pool.query(`EXPLAIN ${timelineSql([])}`, [
      ...window,
      null,
      null,
      null,
      1e9,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using species_visit_start_time_id_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
