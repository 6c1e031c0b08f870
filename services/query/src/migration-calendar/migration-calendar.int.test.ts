import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { CalendarSchema } from './migration-calendar.schema.js';

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

  it('a new hub, lists nothing of the active and the whole catalogue of zeros', async () => {
    expect(await list()).toEqual([]);
    const full = await list('catalog=full');
    const { rows } = await query.database.pool.query(
      `SELECT name FROM species WHERE rank IN ('species', 'form') AND NOT generic ORDER BY name`,
    );
    expect(full).toEqual(rows.map(({ name }) => [name, months({})]));
  });

  it('visits of three years, are counted by month, the highest total first, then by name', async () => {
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
  ])('%s, counts those', async (parameters, expected) => {
    const rows = Object.entries(expected).map(([name, entries]) => [name, months(entries)]);
    expect(await list(parameters)).toEqual(rows);
  });

  it('a processor says what it looks for, leaves others out of the active alone', async () => {
    await query.database.pool.query(`UPDATE species SET active = true WHERE name = 'Eurasian Wren'`);
    await query.ring({ kind: 'species' });
    expect((await list()).map(([name]) => name)).toEqual(['Eurasian Wren']);
    expect((await list('catalog=full'))[0]?.[0]).toBe('Great Tit');
  });

  it('the answer, names months and metric', async () => {
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
    '%s at the edge of the calendar, is answered',
    async (parameters) => {
      expect((await query.get(`/api/ui/migration-calendar?${parameters}`)).status).toBe(200);
    },
  );
});
