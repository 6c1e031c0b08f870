import { describe, expect, it } from 'vitest';
import { busiestHour, hourWedges } from './hour-wedges';

const day = (counts: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);

describe('hourWedges', () => {
  it('hours without anything, have no wedge', () => {
    expect(hourWedges(day({ 6: 2, 18: 4 }), 20, 100).map(({ hour, count }) => [hour, count])).toEqual([
      [6, 2],
      [18, 4],
    ]);
    expect(hourWedges(day({}), 20, 100)).toEqual([]);
  });

  it('half the count, is half the area', () => {
    const [half, whole] = hourWedges(day({ 3: 5, 4: 10 }), 20, 100).map(({ path }) =>
      Number(path.match(/A([\d.]+)/)?.[1]),
    );
    expect(whole).toBe(100);
    expect((half ?? 0) ** 2 - 400).toBeCloseTo((100 ** 2 - 400) / 2, -1);
  });

  it('midnight, stands on top and a quarter to the right is six', () => {
    const starts = hourWedges(day({ 0: 1, 6: 1 }), 0, 100).map(({ path }) =>
      path
        .match(/L(-?[\d.]+) (-?[\d.]+)/)
        ?.slice(1)
        .map((text) => Math.round(Number(text))),
    );
    expect(starts).toEqual([
      [2, -100],
      [100, 2],
    ]);
  });
});

describe('busiestHour', () => {
  it.each([
    ['one hour with the most', day({ 7: 3, 9: 8 }), 9],
    ['several with as many', day({ 7: 8, 9: 8 }), 7],
    ['nothing', day({}), undefined],
  ])('%s, is told', (_case, counts, hour) => {
    expect(busiestHour(counts)).toBe(hour);
  });
});
