import { describe, expect, it } from 'vitest';
import type { DataDay, DataRecording } from './data-day.js';
import { planDays } from './day-plan.js';
import { daylightOf } from './daylight.js';
import { digestOf } from './digest.js';
import { generateDays } from './generate-days.js';
import { fixedDays, scales, visitGapMs } from './scale.js';

const days = [...generateDays(scales['100k'])];
const recordings = days.flatMap((day) => day.made);
const detections = recordings.flatMap((recording) => recording.detections);
const visits = days.flatMap((day) => day.visits);

const countOf = (day: DataDay) => day.made.reduce((sum, recording) => sum + recording.detections.length, 0);
const share = <T>(list: readonly T[], holds: (item: T) => boolean) => list.filter(holds).length / list.length;
const lengthOf = ({ start, end }: DataRecording) => (end - start) / 1000;

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(at * (sorted.length - 1))] ?? Number.NaN;
}

function byDate(date: string): DataDay {
  const day = days.find((one) => one.date === date);
  if (!day) throw new Error(`${date} is not in the data set`);
  return day;
}

describe('generateDays, 100k', () => {
  it('over all days, makes exactly as many recordings as the scale defines', () => {
    expect(recordings.length).toBe(35_000);
  });

  it('over all days, makes 100,000 detections within one per cent', () => {
    expect(Math.abs(detections.length - 100_000)).toBeLessThan(1_000);
  });

  it('over all days, makes about as many visits as recordings', () => {
    expect(Math.abs(visits.length - 36_000)).toBeLessThan(2_000);
  });

  it('for recordings, detections and visits, numbers ids from 1 without gaps', () => {
    for (const list of [recordings, detections, visits])
      expect(list.every(({ id }, index) => id === index + 1)).toBe(true);
  });

  it('when run again, gives the same bytes', () => {
    expect(digestOf(generateDays(scales['100k']))).toBe(
      '88629e302686b23d17b04415ac4180ad85a4e9950480deffab34762733161012',
    );
  });

  it('on D3000 and D1000, makes about that many detections', () => {
    expect(Math.abs(countOf(byDate(fixedDays.D3000.date)) - 3_000)).toBeLessThan(90);
    expect(Math.abs(countOf(byDate(fixedDays.D1000.date)) - 1_000)).toBeLessThan(50);
    expect(Math.max(...days.map(countOf))).toBe(countOf(byDate(fixedDays.D3000.date)));
  });

  it('by length, makes recordings of 6 s to 60 s with a median of 16 s', () => {
    const lengths = recordings.map(lengthOf);
    expect(quantile(lengths, 0.5)).toBeCloseTo(16, 0);
    expect(quantile(lengths, 0)).toBe(6);
    expect(quantile(lengths, 1)).toBe(60);
  });

  it('per recording, makes detections with median 2, p90 5 and at most 12', () => {
    const counts = recordings.map((recording) => recording.detections.length);
    expect([0.5, 0.9, 1].map((at) => quantile(counts, at))).toEqual([2, 5, 12]);
  });

  it('by time of day, places recordings between dawn and dusk', () => {
    const halfHour = 30 * 60_000;
    const atNight = days.flatMap((day) => {
      const { rise, set } = daylightOf(day.dayOfYear);
      const [dawn, dusk] = [day.start + rise - halfHour, day.start + set + halfHour];
      return day.made.filter(({ start, end }) => start < dawn || end > dusk);
    });
    expect(atNight).toEqual([]);
  });

  it('per camera, never overlaps recordings', () => {
    const freeAt = [0, 0];
    for (const { camera, start, end } of recordings) {
      expect(start).toBeGreaterThan(freeAt[camera] ?? Number.NaN);
      freeAt[camera] = end;
    }
  });

  it('by camera, gives three quarters of the recordings to the first', () => {
    expect(Math.abs(share(recordings, ({ camera }) => camera === 0) - 0.75)).toBeLessThan(0.01);
  });

  it('by source, makes 8 of 100 detections audio', () => {
    expect(Math.abs(share(detections, ({ source }) => source === 'audio') - 0.08)).toBeLessThan(0.004);
  });

  it('by species, gives a quarter of the detections to the most common of sixty', () => {
    expect(new Set(detections.map(({ species }) => species)).size).toBe(60);
    expect(Math.abs(share(detections, ({ species }) => species === 0) - 0.25)).toBeLessThan(0.02);
  });

  it('in time, keeps detections within their recording', () => {
    const outside = recordings.filter(({ start, end, detections: own }) =>
      own.some(({ startOffset, endOffset }) => startOffset > endOffset || endOffset > end - start),
    );
    expect(outside).toEqual([]);
  });

  it('by visit, puts each detection into exactly one', () => {
    const members = visits.flatMap((visit) => visit.detectionIds).sort((a, b) => a - b);
    expect(members).toEqual(detections.map(({ id }) => id));
  });

  it('per species, separates visits by more than the gap, also over midnight', () => {
    const endOf = new Map<number, number>();
    for (const { species, start, end } of visits) {
      expect(start - (endOf.get(species) ?? 0)).toBeGreaterThan(visitGapMs);
      endOf.set(species, end);
    }
  });
});

describe('generateDays, other scales', () => {
  it('for a million detections, is within half a per cent of that and makes 374,000 visits', () => {
    let detected = 0;
    let formed = 0;
    for (const day of generateDays(scales['1m'])) {
      detected += countOf(day);
      formed += day.visits.length;
    }
    expect(Math.abs(detected - 1_000_000)).toBeLessThan(5_000);
    expect(Math.abs(formed - 374_000)).toBeLessThan(4_000);
  }, 30_000);

  it('for ten million detections, makes the same recordings on D3000 as for a hundred thousand', () => {
    const plan = planDays(scales['10m']).filter(({ date }) => date === fixedDays.D3000.date);
    const [day] = [...generateDays(scales['10m'], plan)];
    const times = (one: DataDay | undefined) =>
      one?.made.map(({ camera, start, end }) => [camera, start, end]);
    expect(times(day)).toEqual(times(byDate(fixedDays.D3000.date)));
  });
});
