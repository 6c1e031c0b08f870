import { describe, expect, it } from 'vitest';
import { calendarOf, type LikelihoodContext, likelySpecies } from './likely-species';

const counts = (length: number, at: Readonly<Record<number, number>>) =>
  Array.from({ length }, (_, place) => at[place] ?? 0);

const inMonths = (id: number, at: Readonly<Record<number, number>>) => ({
  id,
  name: `Species ${id}`,
  image_url: null,
  monthly_counts: counts(12, at),
  total: 0,
});

const inHours = (id: number, at: Readonly<Record<number, number>>) => ({
  id,
  name: `Species ${id}`,
  detections: counts(24, at),
});

const circumstances = (more: Partial<LikelihoodContext>): LikelihoodContext => ({
  month: 4,
  hour: 8,
  calendar: [],
  day: [],
  ...more,
});

describe('likelySpecies', () => {
  it('with nothing known, offers nothing', () => {
    expect(likelySpecies(5, circumstances({}))).toEqual([]);
    expect(likelySpecies(undefined, circumstances({}))).toEqual([]);
  });

  it('a species of another season, is not offered', () => {
    const calendar = [inMonths(1, { 4: 3 }), inMonths(2, { 10: 90 }), inMonths(3, { 5: 9 })];
    expect(likelySpecies(undefined, circumstances({ calendar }))).toEqual([3, 1]);
  });

  it('January, counts as next to December', () => {
    const calendar = [inMonths(1, { 11: 3 })];
    expect(likelySpecies(undefined, circumstances({ calendar, month: 0 }))).toEqual([1]);
    expect(likelySpecies(undefined, circumstances({ calendar: [inMonths(1, { 0: 3 })], month: 11 }))).toEqual(
      [1],
    );
  });

  it('species of that hour, come before those of the season', () => {
    const calendar = [inMonths(1, { 4: 60 }), inMonths(2, { 4: 40 })];
    const day = [inHours(2, { 9: 1 }), inHours(1, { 15: 30 })];
    expect(likelySpecies(undefined, circumstances({ calendar, day }))).toEqual([2, 1]);
  });

  it('the detected species, is not offered again', () => {
    const calendar = [inMonths(1, { 4: 60 }), inMonths(2, { 4: 40 })];
    expect(likelySpecies(2, circumstances({ calendar }))).toEqual([1]);
  });

  it('with many candidates, offers the three likeliest', () => {
    const calendar = Array.from({ length: 20 }, (_, index) => inMonths(index + 1, { 4: 20 - index }));
    expect(likelySpecies(20, circumstances({ calendar }))).toEqual([1, 2, 3]);
  });

  it('a species of that day that is not in the calendar, is not offered', () => {
    const day = [inHours(2, { 8: 9 })];
    expect(likelySpecies(undefined, circumstances({ calendar: [inMonths(1, { 4: 1 })], day }))).toEqual([1]);
  });
});

describe('calendarOf', () => {
  const total = (one: ReturnType<typeof inMonths>) => ({
    ...one,
    total: one.monthly_counts.reduce((sum, count) => sum + count, 0),
  });
  const all = [total(inMonths(1, { 4: 5 })), total(inMonths(2, { 4: 3 })), total(inMonths(3, { 4: 4 }))];
  const seen = [total(inMonths(1, { 4: 5 })), total(inMonths(2, {})), total(inMonths(3, { 4: 1 }))];

  it('for video, leaves out species that were only heard', () => {
    expect(calendarOf('video', all, seen).map(({ id }) => id)).toEqual([1, 3]);
  });

  it('for audio, counts only visits that were not seen', () => {
    expect(calendarOf('audio', all, seen).map(({ id, total: visits }) => [id, visits])).toEqual([
      [2, 3],
      [3, 3],
    ]);
  });
});
