import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heatStep } from './axis.js';
import { heatSteps } from './heat-map.js';
import { heat } from './theme.js';

describe('heatSteps', () => {
  it('few visits, have no more steps than numbers', () => {
    expect(heatSteps(2)).toEqual([
      { first: 1, last: 1, step: 2 },
      { first: 2, last: 2, step: 5 },
    ]);
  });

  it('any number of visits, is explained with the colour that it has', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (most, part) => {
          const visits = Math.max(1, Math.round(most * part));
          const [step, ...more] = heatSteps(most).filter(
            ({ first, last }) => first <= visits && visits <= last,
          );
          expect(more).toEqual([]);
          expect(step?.step).toBe(heatStep(visits, most, heat.length));
        },
      ),
    );
  });
});
