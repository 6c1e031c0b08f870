import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, daysBetween } from '../../lib/days';
import { createVisit } from '../../testing/factories';
import { itemsByDay, rememberDays, splitIntoChunks } from './chunks';

const newest = '2026-11-23';
/** Days with visits, oldest first. */
const anyCounts = fc
  .uniqueArray(fc.integer({ min: 0, max: 800 }), { maxLength: 120 })
  .chain((days) =>
    fc.tuple(
      ...days
        .sort((one, other) => one - other)
        .map((day) =>
          fc.integer({ min: 1, max: 300 }).map((visits) => ({ day: addDays('2024-09-01', day), visits })),
        ),
    ),
  );
const range = { from: '2024-09-01', to: newest };

describe('splitIntoChunks', () => {
  it('any days, are in exactly one chunk each, and no chunk exceeds the limit of the hub', () => {
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const chunks = splitIntoChunks(counts, range);
        for (const { day } of counts)
          expect(chunks.filter(({ from, to }) => from <= day && day <= to)).toHaveLength(1);
        for (const { from, to } of chunks) {
          expect(daysBetween(from, to)).toBeGreaterThanOrEqual(0);
          expect(daysBetween(from, to)).toBeLessThan(31);
        }
        for (const [at, { from }] of chunks.slice(1).entries())
          expect(from > (chunks[at]?.to ?? '')).toBe(true);
      }),
    );
  });

  it('any new visits on the last day, leave the chunks of earlier months unchanged', () => {
    fc.assert(
      fc.property(anyCounts, fc.integer({ min: 1, max: 300 }), (counts, more) => {
        const month = newest.slice(0, 7);
        const old = splitIntoChunks(counts, range).filter(({ to }) => to < month);
        const now = splitIntoChunks(
          [...counts.filter(({ day }) => day < newest), { day: newest, visits: more }],
          range,
        );
        expect(now.filter(({ to }) => to < `${month}`).slice(0, old.length)).toEqual(old);
      }),
    );
  });

  it('a range without visits, gives the chunk at its end', () => {
    expect(splitIntoChunks([], { from: '2026-01-01', to: '2026-12-31' })).toEqual([
      { from: '2026-12-01', to: '2026-12-31' },
    ]);
    expect(splitIntoChunks([], { from: newest, to: newest })).toEqual([{ from: newest, to: newest }]);
  });
});

const zone = 'Europe/Berlin';
const inZone = (instant: string) => dayOf(new Date(instant), zone);

describe('itemsByDay', () => {
  const visit = createVisit({ id: 1, start_time: '2026-05-03T22:30:00Z' });
  const before = createVisit({ id: 2, start_time: '2026-05-01T21:00:00Z' });
  const empty = createVisit({ id: -9, timeline_kind: 'unlinked_video', start_time: '2026-05-03T10:00:00Z' });
  const chunk = { from: '2026-05-02', to: '2026-05-04' };

  it('visits and empty recordings, are separated and grouped by the day on which they begin', () => {
    expect([...itemsByDay([visit, empty, visit], chunk, inZone, false)]).toEqual([
      ['2026-05-04', { visits: [visit], empties: [] }],
      ['2026-05-03', { visits: [], empties: [empty] }],
    ]);
  });

  it('items from before the chunk, are on its first day, in the oldest chunk only', () => {
    expect([...itemsByDay([before], chunk, inZone, false)]).toEqual([]);
    expect([...itemsByDay([before], chunk, inZone, true)]).toEqual([
      ['2026-05-02', { visits: [before], empties: [] }],
    ]);
  });

  it('any overlapping pages, give every item once and in order', () => {
    const anyItems = fc
      .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60 })
      .map((ids) =>
        ids
          .sort((one, other) => other - one)
          .map((id) =>
            createVisit({ id, start_time: new Date(Date.UTC(2026, 4, 2) + id * 400_000).toISOString() }),
          ),
      );
    fc.assert(
      fc.property(anyItems, fc.nat(60), fc.nat(5), (items, at, overlap) => {
        const pages = [...items.slice(0, at), ...items.slice(Math.max(0, at - overlap))];
        const days = itemsByDay(pages, { from: '2026-05-01', to: '2026-05-05' }, inZone, false);
        expect([...days.values()].flatMap(({ visits }) => visits)).toEqual(items);
      }),
    );
  });
});

describe('rememberDays', () => {
  const counts = [
    { day: '2026-05-04', visits: 2 },
    { day: '2026-05-03', visits: 1 },
  ];
  const before = new Map([['2026-05-03', { counted: 1, visits: 1, empties: 0 }]]);
  const days = new Map([['2026-05-04', { visits: [createVisit()], empties: [] }]]);

  it('with a completely loaded day without items, knows that it has none', () => {
    expect(rememberDays(before, counts, days, () => true)).toEqual(
      new Map([
        ['2026-05-03', { counted: 1, visits: 0, empties: 0 }],
        ['2026-05-04', { counted: 2, visits: 1, empties: 0 }],
      ]),
    );
  });

  it('with days that are not completely loaded, keeps those without items and the counts of the hub', () => {
    const known = rememberDays(before, counts, days, () => false);
    expect(known.get('2026-05-03')).toEqual({ counted: 1, visits: 1, empties: 0 });
    expect(known.get('2026-05-04')).toEqual({ counted: 2, visits: 2, empties: 0 });
  });

  it('without changes, returns the same map', () => {
    expect(rememberDays(before, counts, new Map(), () => false)).toBe(before);
  });
});
