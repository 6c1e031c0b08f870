import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { say } from '../sentences.js';
import type { ListRequest } from './frigate-api.js';
import { type FrigateCursor, FrigatePages, type ListRecords, openCursor } from './frigate-pages.js';
import type { RecordingUnit } from './frigate-records.js';

const now = Date.UTC(2026, 4, 1, 12);
const today = now / 1000;

interface Row {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const aRow = (id: string | number, start: number, length = 20): Row => ({
  id: `${id}`,
  start,
  end: start + length,
});

/** Lists as `/api/events` does: the oldest first. */
const listEvents =
  (rows: readonly Row[]): ListRecords<Row> =>
  async ({ after, before, limit }) =>
    rows
      .filter(({ start }) => start > after && (before === undefined || start < before))
      .sort((a, b) => a.start - b.start)
      .slice(0, limit)
      .map((record) => ({ record }));

/** Lists as `/api/review` does: the newest first, by start and end, or by overlap in later versions. */
const listReviews =
  (rows: readonly Row[], isByOverlap: boolean): ListRecords<Row> =>
  async ({ after, before = today, limit }) =>
    rows
      .filter(({ start, end }) =>
        isByOverlap ? start < before && end > after : start > after && end < before,
      )
      .sort((a, b) => b.start - a.start)
      .slice(0, limit)
      .map((record) => ({ record }));

interface Reading {
  readonly unit: RecordingUnit;
  readonly list: ListRecords<Row>;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly from?: FrigateCursor;
  readonly pages?: FrigatePages;
}

async function readAll(reading: Reading) {
  const { unit, list, since = 0, until, limit = 10, pages = new FrigatePages() } = reading;
  let cursor = reading.from ?? openCursor(undefined, { unit, since: since * 1000 });
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let turns = 0; turns < 2_000; turns += 1) {
    const request = { limit, now, until: until === undefined ? undefined : until * 1000 };
    const page = await pages.read(list, JSON.parse(JSON.stringify(cursor)) as FrigateCursor, request);
    ids.push(...page.records.map(({ id }) => id));
    sizes.push(page.records.length);
    if (page.isLast) return { ids, sizes, cursor: page.cursor };
    // The caller takes an unchanged cursor for the end of its work.
    expect(page.cursor).not.toEqual(cursor);
    cursor = page.cursor;
  }
  throw new Error('reading does not end');
}

const units = [
  ['events', 'event', listEvents],
  ['review segments by start and end', 'review', (rows: readonly Row[]) => listReviews(rows, false)],
  ['review segments by overlap', 'review', (rows: readonly Row[]) => listReviews(rows, true)],
] as const;

describe.each(units)('FrigatePages of %s', (_what, unit, toList) => {
  const times = fc.oneof(
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 0, max: 90 * 86_400 }),
    fc.double({ min: 0, max: 10, noNaN: true }),
  );
  const history = fc
    .array(fc.tuple(times, fc.integer({ min: 0, max: 900 })), { maxLength: 60 })
    .map((drawn) => drawn.map(([back, length], index) => aRow(index, today - 1_000 - back, length)));

  it('any records, with any limit and any number at the same time, are read once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 20 }), async (rows, limit) => {
        const { ids, sizes } = await readAll({ unit, list: toList(rows), limit });
        const starts = ids.map((id) => rows[Number(id)]?.start ?? 0);
        expect([...ids].sort()).toEqual(rows.map(({ id }) => id).sort());
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 150 },
    );
  });

  it('many records in one second, more than one request lists, are all read', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => aRow(index, today - 9_000 + (index % 3)));
    const { ids } = await readAll({ unit, list: toList(rows), limit: 170 });
    expect(new Set(ids).size).toBe(2_500);
    expect(ids).toHaveLength(2_500);
  });

  it('a time span, includes its first instant and excludes its end', async () => {
    const rows = [-1, 0, 50, 99, 100].map((offset) => aRow(offset, today - 9_000 + offset, 300));
    const { ids } = await readAll({ unit, list: toList(rows), since: today - 9_000, until: today - 8_900 });
    expect(ids).toEqual(['0', '50', '99']);
  });

  it('after the last page, start again an hour before the newest record', async () => {
    const rows = [aRow('old', today - 90_000), aRow('late', today - 7_000), aRow('newest', today - 4_000)];
    const { cursor } = await readAll({ unit, list: toList(rows) });
    expect(cursor).toMatchObject({ from: today - 7_600, at: today - 7_600, newest: today - 4_000, seen: [] });
    const again = await readAll({
      unit,
      list: toList([...rows, aRow('missed', today - 5_000)]),
      from: cursor,
    });
    expect(again.ids).toEqual(['late', 'missed', 'newest']);
  });

  it('a record dated ahead, does not move the next scan beyond the present', async () => {
    const rows = [aRow('now', today - 10, 5), aRow('ahead', today + 80_000, 5)];
    const list = toList(rows);
    const { cursor } = await readAll({ unit, list });
    expect(cursor.from).toBe(today - 3_610);
  });

  it('without records, start again a day ago', async () => {
    expect((await readAll({ unit, list: toList([]) })).cursor.from).toBe(today - 86_400);
  });

  it('invalid rows, are reported once and do not stop the scan', async () => {
    const rows = [aRow('a', today - 500), aRow('b', today - 400)];
    const dropped = { upstreamId: 'x', at: undefined, reason: say('frigate_no_start') };
    const list = async (request: ListRequest) => [...(await toList(rows)(request)), { dropped }];
    const page = await new FrigatePages().read(list, openCursor(undefined, { unit, since: 0 }), {
      until: undefined,
      limit: 10,
      now,
    });
    expect(page).toMatchObject({ records: rows, dropped: [dropped], isLast: true });
  });

  it('an upstream that always lists the same, leads to an end', async () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => aRow(index, today - 9_000));
    const list: ListRecords<Row> = async ({ limit }) => rows.slice(0, limit).map((record) => ({ record }));
    const reading = readAll({ unit, list, limit: 1_000 });
    if (unit === 'review') return expect(reading).rejects.toThrow('another time than requested');
    expect(new Set((await reading).ids).size).toBe(5_000);
  });
});

describe('openCursor', () => {
  it.each([
    undefined,
    null,
    'cursor',
    [],
    { unit: 'film' },
    { unit: 'event', from: 'a', at: 1, seen: [], page: 0 },
  ])('with %j, starts at the beginning', (stored) => {
    expect(openCursor(stored, { unit: 'event', since: 5_000 })).toMatchObject({ from: 5, at: 5, page: 0 });
  });

  it('of another unit, continues after the newest record read', () => {
    const stored = { unit: 'event', from: 100, at: 100, seen: ['a'], newest: 3_700, page: 4 } as const;
    const cursor = openCursor(stored, { unit: 'review', since: 0 });
    expect(cursor).toMatchObject({ unit: 'review', seen: [], newest: 3_700, page: 5 });
    expect(cursor.from).toBeGreaterThan(3_700);
    expect(cursor.from).toBeLessThan(3_700.001);
  });
});
