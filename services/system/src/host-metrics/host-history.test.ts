import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downsample, type HostSample } from './host-history.js';

const percent = fc.oneof(fc.constantFrom(0, 50, 100), fc.double({ min: 0, max: 100, noNaN: true }));
const arbitrarySamples = fc
  .array(fc.record({ cpu: percent, memory: percent, disk: percent, gpu: fc.option(percent) }), {
    minLength: 1,
    maxLength: 1_500,
    size: 'max',
  })
  .map((rows) => rows.map((row, index): HostSample => ({ at: index * 60_000, ...row })));
const arbitraryPoints = fc.integer({ min: 10, max: 400 });
const names = ['cpu', 'memory', 'disk', 'gpu'] as const;

const valuesOf = (samples: readonly HostSample[], name: (typeof names)[number]) =>
  samples.flatMap((sample) => sample[name] ?? []);

describe('downsample', () => {
  it('any samples, are thinned in order, with both ends, to at most the requested number', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitraryPoints, (samples, maxPoints) => {
        const thin = downsample(samples, maxPoints);
        expect(thin.length).toBeLessThanOrEqual(maxPoints);
        expect(thin[0]).toBe(samples[0]);
        expect(thin.at(-1)).toBe(samples.at(-1));
        let at = -1;
        for (const sample of thin) {
          const next = samples.indexOf(sample, at + 1);
          expect(next).toBeGreaterThan(at);
          at = next;
        }
      }),
    );
  });

  it('any samples, keep the maximum and the minimum of each series', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitraryPoints, (samples, maxPoints) => {
        const thin = downsample(samples, maxPoints);
        for (const name of names) {
          expect(Math.max(...valuesOf(thin, name))).toBe(Math.max(...valuesOf(samples, name)));
          expect(Math.min(...valuesOf(thin, name))).toBe(Math.min(...valuesOf(samples, name)));
        }
      }),
    );
  });

  const steady = { cpu: 5, memory: 40, disk: 60, gpu: null };
  const month = Array.from({ length: 43_200 }, (_, index) => ({ at: index * 60_000, ...steady }));

  it('a month with short peaks far apart, keeps each of them', () => {
    const peaks = [3_000, 17_000, 30_000, 43_000];
    const samples = month.map((sample, index) => (peaks.includes(index) ? { ...sample, cpu: 90 } : sample));
    const shown = downsample(samples, 50).filter(({ cpu }) => cpu === 90);
    expect(shown.map(({ at }) => at / 60_000)).toEqual(peaks);
  });

  it('a month, uses most of the requested points', () => {
    const samples = month.map((sample, index) => ({ ...sample, cpu: (index * 7_919) % 100 }));
    expect(downsample(samples, 500).length).toBeGreaterThan(350);
  });

  it('fewer samples than points, are all kept', () => {
    const few = month.slice(0, 50);
    expect(downsample(few, 50)).toEqual(few);
    expect(downsample([], 50)).toEqual([]);
  });
});
