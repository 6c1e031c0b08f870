import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSpectrogram, spectrogramName } from './spectrogram.js';

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

describe('spectrogramName', () => {
  it('a video in a folder of its own, is the plain one', () => {
    expect(spectrogramName('video.mp4', 100, ['video.mp4', 'notes.txt'])).toBe('spectrogram_100.jpg');
  });

  it('videos that share a folder, is that of each', () => {
    expect(spectrogramName('a.mp4', 100, ['a.mp4', 'b.MP4'])).toBe('a.spectrogram_100.jpg');
  });
});
