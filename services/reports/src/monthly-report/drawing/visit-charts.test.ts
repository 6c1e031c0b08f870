import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSpecies } from '../../testing/a-report.js';
import { ReportFormat } from '../format.js';
import { heatStep, heatSteps, speciesBars } from './visit-charts.js';

describe('heatStep', () => {
  it.each([
    [0, 10, -1],
    [1, 12, 0],
    [2, 12, 0],
    [3, 12, 1],
    [12, 12, 5],
    [1, 1, 5],
  ])('%i of %i, is step %i of six', (visits, max, step) => {
    expect(heatStep(visits, max)).toBe(step);
  });
});

describe('heatSteps', () => {
  it('few visits, have no more steps than counts', () => {
    expect(heatSteps(2)).toEqual([
      { first: 1, last: 1, step: 2 },
      { first: 2, last: 2, step: 5 },
    ]);
  });

  it('any number of visits, is in the step of its colour', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (max, part) => {
          const visits = Math.max(1, Math.round(max * part));
          const [step, ...more] = heatSteps(max).filter(
            ({ first, last }) => first <= visits && visits <= last,
          );
          expect(more).toEqual([]);
          expect(step?.step).toBe(heatStep(visits, max));
        },
      ),
    );
  });
});

describe('speciesBars', () => {
  const english = new ReportFormat('en');
  const many = (count: number) =>
    Array.from({ length: count }, (_, id) => aSpecies({ id, name: `Bird ${id}`, visits: 2 }));

  it('twenty species, have one bar each', () => {
    expect(speciesBars(many(20), english).map(({ name }) => name)).toEqual(many(20).map(({ name }) => name));
  });

  it('more than twenty species, share the last bar', () => {
    const bars = speciesBars(many(1_022), english);
    expect(bars).toHaveLength(20);
    expect(bars.at(-1)).toEqual({ name: '1,003 other species', visits: 2_006 });
  });
});
