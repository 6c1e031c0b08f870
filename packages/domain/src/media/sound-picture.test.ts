import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axesSvg, timeTicks } from './sound-picture.js';

describe('timeTicks', () => {
  it.each([
    [{ from: 0, to: 5 }, [0, 1, 2, 3, 4, 5]],
    [{ from: 0, to: 60 }, [0, 10, 20, 30, 40, 50, 60]],
    [{ from: 12.3, to: 13.1 }, [12.3, 12.4, 12.5, 12.6, 12.7, 12.8, 12.9, 13, 13.1]],
  ])('%j, has ticks at round seconds', (span, ticks) => {
    expect(timeTicks(span)).toEqual(ticks);
  });

  it('any section, has at most ten ticks, all inside', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1_000, noNaN: true }),
        fc.double({ min: 0.3, max: 1_800, noNaN: true }),
        (from, length) => {
          const ticks = timeTicks({ from, to: from + length });
          expect(ticks.length).toBeLessThanOrEqual(10);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(from - 0.11);
            expect(tick).toBeLessThanOrEqual(from + length + 0.11);
          }
        },
      ),
    );
  });
});

describe('axesSvg', () => {
  const plot = { left: 40, top: 20, width: 800, height: 400, letter: 10 };

  it('marks, lie at their seconds and are clipped to the plot', () => {
    const marks = [
      { from: 2, to: 4 },
      { from: 9, to: 30 },
    ];
    const svg = axesSvg({ from: 0, to: 10, marks, width: 860, height: 450 }, plot);
    const places = [...svg.matchAll(/class="mark" x="([\d.]+)" y="20" width="([\d.]+)"/g)].map((found) =>
      found.slice(1).map(Number),
    );
    expect(places).toEqual([
      [200, 160],
      [760, 80],
    ]);
  });
});
