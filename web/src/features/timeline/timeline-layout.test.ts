import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../lib/days';
import { dayAtShare, marksOf, shareOfIndex } from './scrubber-scale';
import {
  dayIndexAt,
  firstCardFrom,
  layOut,
  moveCard,
  placeOfCard,
  rowsBetween,
  topOfDay,
} from './timeline-layout';

const metrics = { columns: 4, headingHeight: 50, cardRowHeight: 200, foldHeight: 40 };
const anyMetrics = fc.record({
  columns: fc.integer({ min: 1, max: 8 }),
  headingHeight: fc.integer({ min: 20, max: 60 }),
  cardRowHeight: fc.integer({ min: 60, max: 320 }),
  foldHeight: fc.integer({ min: 20, max: 60 }),
});
/** Days from the newest to the oldest, with gaps. */
const anyDays = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 40 }),
      visits: fc.integer({ min: 0, max: 60 }),
      empties: fc.integer({ min: 0, max: 9 }),
      isOpen: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((given) => {
    let day = '2026-12-31';
    return given
      .map(({ gap, ...content }) => {
        day = addDays(day, -gap);
        return { day, ...content };
      })
      .filter(({ visits, empties }) => visits + empties > 0);
  });
const anyLayout = fc.tuple(anyDays, anyMetrics).map(([days, sizes]) => layOut(days, sizes));

describe('layOut', () => {
  it('any list, has adjoining rows that hold every card once', () => {
    fc.assert(
      fc.property(anyLayout, (layout) => {
        const rows = rowsBetween(layout, 0, layout.height);
        const heights = { heading: 'headingHeight', fold: 'foldHeight' } as const;
        let top = 0;
        for (const row of rows) {
          expect(row.top).toBe(top);
          top +=
            row.kind === 'cards' || row.kind === 'empties'
              ? layout.metrics.cardRowHeight
              : layout.metrics[heights[row.kind]];
        }
        expect(top).toBe(layout.height);
        const cards = rows.flatMap((row) =>
          row.kind === 'cards'
            ? Array.from({ length: row.count }, (_, at) => `${row.day} ${row.at + at}`)
            : [],
        );
        const expected = layout.days.flatMap(({ day, visits }) =>
          Array.from({ length: visits }, (_, at) => `${day} ${at}`),
        );
        expect(cards).toEqual(expected);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });

  it('any stretch of a list, gives the rows that overlap it', () => {
    fc.assert(
      fc.property(
        anyLayout,
        fc.integer({ min: -500, max: 40_000 }),
        fc.integer({ min: 1, max: 2_000 }),
        (layout, from, length) => {
          const { headingHeight, foldHeight, cardRowHeight } = layout.metrics;
          const all = rowsBetween(layout, 0, layout.height);
          const reaching = all.filter((row) => {
            const height =
              row.kind === 'heading' ? headingHeight : row.kind === 'fold' ? foldHeight : cardRowHeight;
            return row.top < from + length && row.top + height > from;
          });
          expect(rowsBetween(layout, from, from + length)).toEqual(reaching);
        },
      ),
    );
  });

  it('an empty list, has no rows and no height', () => {
    const layout = layOut([], metrics);
    expect(rowsBetween(layout, 0, 1_000)).toEqual([]);
    expect([layout.height, dayIndexAt(layout, 5), topOfDay(layout, '2026-01-01')]).toEqual([0, -1, 0]);
  });
});

describe('the scrubber', () => {
  it('any day, is found at its share of the list', () => {
    fc.assert(
      fc.property(anyLayout, (layout) => {
        for (const [index, { day, top }] of layout.days.entries()) {
          expect(dayAtShare(layout, shareOfIndex(layout, index))).toBe(day);
          expect(topOfDay(layout, day)).toBe(top);
        }
      }),
    );
  });

  it('any share, gives the day at that position', () => {
    fc.assert(
      fc.property(anyLayout, fc.double({ min: 0, max: 1, noNaN: true }), (layout, share) => {
        fc.pre(layout.days.length > 0 && share < 1);
        const index = layout.days.findIndex(({ day }) => day === dayAtShare(layout, share));
        const y = Math.round(share * layout.height);
        expect(layout.days[index]?.top).toBeLessThanOrEqual(y);
        expect(layout.days[index + 1]?.top ?? Number.POSITIVE_INFINITY).toBeGreaterThan(y);
      }),
    );
  });

  it('ten years on a phone and a desktop, mark every year once, newest first, without overlap', () => {
    const days = Array.from({ length: 3_650 }, (_, ago) => ({
      day: addDays('2026-11-23', -ago),
      visits: 40,
      empties: 0,
      isOpen: false,
    }));
    for (const pixels of [640, 1_000]) {
      const years = marksOf(layOut(days, metrics), pixels).flatMap(({ year, at }) =>
        year ? [{ year, at }] : [],
      );
      expect(years.map(({ year }) => Number(year))).toEqual(
        Array.from({ length: 11 }, (_, ago) => 2026 - ago),
      );
      for (const [at, one] of years.slice(1).entries())
        expect((one.at - (years[at]?.at ?? 0)) * pixels).toBeGreaterThanOrEqual(26);
    }
  });
});

describe('moveCard', () => {
  const layout = layOut(
    [
      { day: '2026-05-03', visits: 6, empties: 0, isOpen: false },
      { day: '2026-05-02', visits: 0, empties: 2, isOpen: false },
      { day: '2026-05-01', visits: 3, empties: 0, isOpen: false },
    ],
    metrics,
  );

  it.each([
    [{ day: '2026-05-03', at: 0 }, 'next', { day: '2026-05-03', at: 1 }],
    [{ day: '2026-05-03', at: 5 }, 'next', { day: '2026-05-01', at: 0 }],
    [{ day: '2026-05-01', at: 0 }, 'previous', { day: '2026-05-03', at: 5 }],
    [{ day: '2026-05-03', at: 1 }, 'down', { day: '2026-05-03', at: 5 }],
    [{ day: '2026-05-03', at: 3 }, 'down', { day: '2026-05-03', at: 5 }],
    [{ day: '2026-05-03', at: 5 }, 'down', { day: '2026-05-01', at: 1 }],
    [{ day: '2026-05-01', at: 2 }, 'up', { day: '2026-05-03', at: 5 }],
    [{ day: '2026-05-03', at: 0 }, 'up', undefined],
    [{ day: '2026-05-01', at: 2 }, 'next', undefined],
    [{ day: '2020-01-01', at: 0 }, 'next', undefined],
  ] as const)('from %j %s, leads to %j', (from, move, to) => {
    expect(moveCard(layout, from, move)).toEqual(to);
  });

  it('any list, can be walked from its first card to its last and back', () => {
    fc.assert(
      fc.property(anyLayout, (list) => {
        const cards = list.days.flatMap(({ day, visits }) =>
          Array.from({ length: visits }, (_, at) => ({ day, at })),
        );
        for (const [at, card] of cards.entries()) {
          expect(moveCard(list, card, 'next')).toEqual(cards[at + 1]);
          expect(moveCard(list, card, 'previous')).toEqual(cards[at - 1]);
        }
        expect(firstCardFrom(list, 0)).toEqual(cards[0]);
      }),
      { numRuns: 30 },
    );
  });

  it('a card, has the position of its row', () => {
    expect(placeOfCard(layout, { day: '2026-05-03', at: 5 })).toEqual({ top: 250, height: 200 });
    expect(placeOfCard(layout, { day: '2026-05-03', at: 6 })).toBeUndefined();
  });
});
