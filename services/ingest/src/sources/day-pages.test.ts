import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DayCursor,
  type DayList,
  type DayQuery,
  dayCursorToJson,
  readDayPage,
  startAtDay,
  toDayCursor,
} from './day-pages.js';

interface Bird {
  readonly id: number;
  /** Minutes since the start of the first day. */
  readonly at: number;
}

const firstDay = Date.parse('2026-05-01T00:00:00Z');
const dayOf = ({ at }: Bird) => new Date(firstDay + at * 60_000).toISOString().slice(0, 10);

/** A list as the upstream returns it, sorted by time and, within a minute, by id. */
function listOf(birds: readonly Bird[], queries: DayQuery[] = []) {
  return async (query: DayQuery): Promise<DayList<number>> => {
    queries.push(query);
    const found = birds
      .filter((bird) => dayOf(bird) >= query.day)
      .toSorted((a, b) => a.at - b.at || a.id - b.id)
      .map((bird) => ({ id: String(bird.id), day: dayOf(bird), value: bird.id }));
    return { items: found.slice(query.offset, query.offset + query.limit), total: found.length };
  };
}

async function readToEnd(birds: readonly Bird[], start: DayCursor, limit: number) {
  const values: number[] = [];
  let cursor: DayCursor = start;
  for (let pages = 0; pages < 2_000; pages += 1) {
    const page = await readDayPage(cursor, limit, listOf(birds));
    expect(page.values.length).toBeLessThanOrEqual(limit);
    values.push(...page.values);
    // As it is read from the database.
    cursor = toDayCursor(JSON.parse(JSON.stringify(dayCursorToJson(page.cursor)))) ?? start;
    if (page.isLast) return { values, cursor };
  }
  throw new Error('paging does not end');
}

const start = startAtDay('2026-05-01');
const birdsAt = (times: readonly number[], firstId = 1) =>
  times.map((at, index): Bird => ({ id: firstId + index, at }));
const times = fc.array(fc.integer({ min: 0, max: 4 * 1_440 }), { maxLength: 400 });

describe('readDayPage', () => {
  it('any items, in pages of any size, are read once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 150 }), async (all, limit) => {
        const birds = birdsAt(all);
        const { values } = await readToEnd(birds, start, limit);
        const expected = birds.toSorted((a, b) => a.at - b.at || a.id - b.id).map(({ id }) => id);
        expect(values).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('items added between readings, even with earlier times, are read', async () => {
    await fc.assert(
      fc.asyncProperty(
        times,
        fc.array(times, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 5, max: 150 }),
        async (first, rounds, limit) => {
          let birds = birdsAt(first);
          const read = await readToEnd(birds, start, limit);
          const values = new Set(read.values);
          let { cursor } = read;
          for (const [round, later] of [[], ...rounds].entries()) {
            // Items more than a day late are before the cursor and never read.
            const { day } = cursor;
            birds = [...birds, ...birdsAt(later, 1_000 * (round + 1)).filter((bird) => dayOf(bird) >= day)];
            const again = await readToEnd(birds, cursor, limit);
            for (const value of again.values) values.add(value);
            cursor = again.cursor;
          }
          expect(values).toEqual(new Set(birds.map(({ id }) => id)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('one item early in a long day, added after two readings, is found', async () => {
    const birds = birdsAt(Array.from({ length: 1_000 }, (_, index) => index + 10));
    const read = await readToEnd(birds, start, 500);
    const { cursor } = await readToEnd(birds, read.cursor, 500);
    const again = await readToEnd([...birds, { id: 5_000, at: 1 }], cursor, 500);
    expect(again.values).toContain(5_000);
  });

  it('a day without an end, is given up', async () => {
    const endless = async ({ offset, limit }: DayQuery): Promise<DayList<number>> => ({
      items: Array.from({ length: limit }, (_, index) => ({
        id: String(offset + index),
        day: '2026-05-01',
        value: 1,
      })),
      total: undefined,
    });
    const readOn = async () => {
      let cursor = start;
      for (let pages = 0; pages < 1_000; pages += 1)
        cursor = (await readDayPage(cursor, 500, endless)).cursor;
    };
    await expect(readOn()).rejects.toMatchObject({
      stage: 'birds',
      message: expect.stringContaining('birds in one day'),
    });
  });

  it('items deleted while later ones are added, do not hide these', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.nat(399), fc.integer({ min: 1, max: 300 }), async (first, from, count) => {
        const before = birdsAt(first);
        const read = await readToEnd(before, start, 50);
        const left = before.toSpliced(from, count);
        const added = birdsAt(
          Array.from({ length: 20 }, (_, index) => 4 * 1_440 + 1 + index),
          10_000,
        );
        const again = await readToEnd([...left, ...added], read.cursor, 50);
        expect(again.values).toEqual(expect.arrayContaining(added.map(({ id }) => id)));
      }),
      { numRuns: 60 },
    );
  });

  it('without new items, requests the end of the day once', async () => {
    const birds = birdsAt(Array.from({ length: 1_000 }, (_, index) => index));
    const { cursor } = await readToEnd(birds, start, 500);
    const queries: DayQuery[] = [];
    const page = await readDayPage(cursor, 500, listOf(birds, queries));
    expect([page.values, page.isLast, queries]).toEqual([
      [],
      true,
      [{ day: '2026-05-01', offset: 900, limit: 600 }],
    ]);
  });

  it('an overstated number of items, makes it read the day again only once', async () => {
    const birds = birdsAt([1, 2, 3]);
    const overstate = (queries: DayQuery[]) => async (query: DayQuery) => {
      const list = await listOf(birds, queries)(query);
      return { ...list, total: (list.total ?? 0) + 5 };
    };
    let cursor: DayCursor = (await readDayPage(start, 50, overstate([]))).cursor;
    const queries: DayQuery[] = [];
    for (let poll = 0; poll < 5; poll += 1)
      cursor = (await readDayPage(cursor, 50, overstate(queries))).cursor;
    expect(queries.length).toBeLessThanOrEqual(6);
  });

  it.each([undefined, null, 'x', { day: '2026-02-30', offset: 1 }, { day: '2026-05-01', offset: -1 }])(
    '%j as a stored cursor, is invalid',
    (json) => {
      expect(toDayCursor(json)).toBeUndefined();
    },
  );
});
