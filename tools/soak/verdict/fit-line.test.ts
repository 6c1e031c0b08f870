import { describe, expect, it } from 'vitest';
import { fitLine } from './fit-line.js';

const at = (values: readonly number[]) => values.map((y, x) => ({ x, y }));

describe('fitLine', () => {
  it('with points on a line, returns it without uncertainty', () => {
    expect(fitLine(at([1, 3, 5, 7]))).toEqual({ level: 4, slope: 2, uncertainty: 0 });
  });

  it('with points around a line, returns its slope and uncertainty', () => {
    // By hand: spread 2, slope (8 - 4) / 2, residuals 1, -2, 1 around the line through the mean.
    const line = fitLine(at([4, 3, 8]));
    expect(line).toMatchObject({ level: 5, slope: 2 });
    expect(line.uncertainty).toBeCloseTo(2 * Math.sqrt(6 / 1 / 2), 10);
  });

  it('with noise that does not rise, has a slope within its uncertainty', () => {
    const { slope, uncertainty } = fitLine(at([5, 9, 4, 8, 5, 9, 4, 8]));
    expect(Math.abs(slope)).toBeLessThan(uncertainty);
  });

  it('with two points, cannot tell noise from growth and returns NaN', () => {
    expect(fitLine(at([1, 2])).slope).toBeNaN();
  });
});
