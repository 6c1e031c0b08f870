import { describe, expect, it } from 'vitest';
import { noteworthyReason, rarityOf } from './noteworthy.js';

const now = Date.UTC(2026, 5, 1, 12);
const day = 86_400_000;
const common = { previousAt: now - day, visits: 500, hubVisits: 5_000, hubSince: now - 400 * day };

describe('noteworthyReason', () => {
  it.each([
    ['that was here yesterday', common, undefined],
    ['that was never here', { ...common, previousAt: null }, 'first_ever'],
    ['that was here last year', { ...common, previousAt: now - 200 * day }, 'new_this_year'],
    ['of ten visits in five thousand', { ...common, visits: 10 }, 'rare'],
    ['of three visits in three hundred', { ...common, visits: 3, hubVisits: 300 }, 'rare'],
    ['of one visit in fifty', { ...common, visits: 1, hubVisits: 50 }, undefined],
    [
      'that was never here on a hub of a week',
      { ...common, previousAt: null, hubSince: now - 7 * day },
      undefined,
    ],
    ['on an empty hub', { ...common, previousAt: null, hubSince: null }, undefined],
  ])('a species %s, is %s', (_, history, reason) => {
    expect(noteworthyReason(history, now, 'UTC')).toBe(reason);
  });

  it('a year, begins in the zone of the hub', () => {
    const history = { ...common, previousAt: Date.UTC(2025, 11, 31, 23, 30) };
    const at = Date.UTC(2026, 0, 1, 9);
    expect(noteworthyReason(history, at, 'UTC')).toBe('new_this_year');
    expect(noteworthyReason(history, at, 'Europe/Berlin')).toBeUndefined();
  });
});

describe('rarityOf', () => {
  it('fewer visits, are rarer', () => {
    const rarities = [2_000, 200, 20, 2].map((visits) => rarityOf({ visits, hubVisits: 5_000 }));
    expect(rarities).toEqual(rarities.toSorted((a, b) => a - b));
    expect(rarities.every((rarity) => rarity >= 0 && rarity <= 1)).toBe(true);
  });

  it('with few visits in total, is low', () => {
    expect(rarityOf({ visits: 1, hubVisits: 10 })).toBeLessThan(0.05);
    expect(rarityOf({ visits: 0, hubVisits: 0 })).toBe(0);
  });
});
