import { describe, expect, it } from 'vitest';
import { fitLine } from './fit-line.js';

const at = (values: readonly number[]) => values.map((y, x) => ({ x, y }));

describe('fitLine', () => {
  it('points, on a line, give it without a doubt', () => {
    expect(fitLine(at([1, 3, 5, 7]))).toEqual({ level: 4, slope: 2, uncertainty: 0 });
  });

  it('points, about a line, give its slope and how sure that is', () => {
    // By hand: spread 2, slope (8 - 4) / 2, residuals 1, -2, 1 off the line through the mean.
    const line = fitLine(at([4, 3, 8]));
    expect(line).toMatchObject({ level: 5, slope: 2 });
    expect(line.uncertainty).toBeCloseTo(2 * Math.sqrt(6 / 1 / 2), 10);
  });

  it('noise, that does not rise, has a slope within its uncertainty', () => {
    const { slope, uncertainty } = fitLine(at([5, 9, 4, 8, 5, 9, 4, 8]));
    expect(Math.abs(slope)).toBeLessThan(uncertainty);
  });

  it('two points, as noise and growth look alike, say nothing', () => {
    expect(fitLine(at([1, 2])).slope).toBeNaN();
  });
});
