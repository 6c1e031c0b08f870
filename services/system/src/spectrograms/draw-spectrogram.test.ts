import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSpectrogram } from './draw-spectrogram.js';

describe('planSpectrogram', () => {
  it('ten seconds, are a hundred pixels each', () => {
    expect(planSpectrogram(10)).toEqual({ pxPerSecond: 100, seconds: 10, width: 1_000 });
  });

  it('ten minutes, are fewer pixels each', () => {
    expect(planSpectrogram(600)).toEqual({ pxPerSecond: 26, seconds: 600, width: 15_600 });
  });

  it('a whole day, is its beginning', () => {
    expect(planSpectrogram(86_400)).toEqual({ pxPerSecond: 8, seconds: 1_800, width: 14_400 });
  });

  it('any length, is a picture that browsers show', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (seconds) => {
        const { width, pxPerSecond } = planSpectrogram(seconds);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(16_000);
        expect(pxPerSecond).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
