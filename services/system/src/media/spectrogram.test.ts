import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSpectrogram, spectrogramName } from './spectrogram.js';

describe('planSpectrogram', () => {
  it('ten seconds, have a hundred pixels each', () => {
    expect(planSpectrogram(10)).toEqual({ pxPerSecond: 100, seconds: 10, width: 1_000 });
  });

  it('ten minutes, have fewer pixels each', () => {
    expect(planSpectrogram(600)).toEqual({ pxPerSecond: 26, seconds: 600, width: 15_600 });
  });

  it('an hour, has four pixels a second', () => {
    expect(planSpectrogram(3_600)).toEqual({ pxPerSecond: 4, seconds: 3_600, width: 14_400 });
  });

  it('a whole day, has less than a pixel a second', () => {
    expect(planSpectrogram(86_400)).toEqual({ pxPerSecond: 0.18, seconds: 86_400, width: 15_552 });
  });

  it('any length, gives a picture that browsers can show', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (seconds) => {
        const { width, pxPerSecond } = planSpectrogram(seconds);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(16_000);
        expect(pxPerSecond).toBeGreaterThan(0);
      }),
    );
  });
});

describe('spectrogramName', () => {
  it('for a video in its own folder, is the plain name', () => {
    expect(spectrogramName('video.mp4', 100, ['video.mp4', 'notes.txt'])).toBe('spectrogram_100.jpg');
  });

  it('for videos that share a folder, differs for each', () => {
    expect(spectrogramName('a.mp4', 100, ['a.mp4', 'b.MP4'])).toBe('a.spectrogram_100.jpg');
  });
});
