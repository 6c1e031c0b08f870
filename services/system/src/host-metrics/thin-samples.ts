import type { HostSample } from './host-samples.store.js';

const series = ['cpu', 'memory', 'disk', 'gpu'] as const;

/** The ends, and of each bucket of neighbours the least and the most of each series. */
const mostKeptOfBucket = 2 * series.length;
const fewerBuckets = 0.8;

function extremesOf(samples: readonly HostSample[], from: number, to: number): number[] {
  return series.flatMap((name) => {
    let least = -1;
    let most = -1;
    for (let index = from; index < to; index += 1) {
      const value = samples[index]?.[name] ?? null;
      if (value === null) continue;
      if (least < 0 || value < (samples[least]?.[name] ?? 0)) least = index;
      if (most < 0 || value > (samples[most]?.[name] ?? 0)) most = index;
    }
    return most < 0 ? [] : [least, most];
  });
}

function keepOf(samples: readonly HostSample[], buckets: number): Set<number> {
  const kept = new Set([0, samples.length - 1]);
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * samples.length) / buckets);
    const to = Math.floor(((bucket + 1) * samples.length) / buckets);
    for (const index of extremesOf(samples, from, to)) kept.add(index);
  }
  return kept;
}

/**
 * At most so many (10 or more) of the samples, in their order, so that a line through them shows what one through all
 * would: both ends, and the least and the most of each series in as many stretches as there is room for.
 */
export function thinSamples(samples: readonly HostSample[], maxPoints: number): HostSample[] {
  if (samples.length <= maxPoints) return [...samples];
  const fewest = Math.floor((maxPoints - 2) / mostKeptOfBucket);
  // Extremes of several series often fall on one sample, so more stretches may fit than must.
  let buckets = maxPoints;
  let kept = keepOf(samples, buckets);
  while (kept.size > maxPoints) {
    buckets = Math.max(fewest, Math.floor(buckets * fewerBuckets));
    kept = keepOf(samples, buckets);
  }
  return samples.filter((_, index) => kept.has(index));
}
