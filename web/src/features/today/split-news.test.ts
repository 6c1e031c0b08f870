import { describe, expect, it } from 'vitest';
import { createVisit } from '../../testing/factories';
import { arrivalsSince, splitNews } from './split-news';

const visit = (id: number, hour: string) => createVisit({ id, start_time: `2026-05-04T${hour}:00:00Z` });
const [seven, eight, nine] = [visit(7, '07'), visit(8, '08'), visit(9, '09')];
const idsOf = (visits: readonly { id: number }[]) => visits.map(({ id }) => id);

describe('visits', () => {
  it('read from a place, let newer ones wait above it', () => {
    const { waiting, shown } = splitNews([nine, eight, seven], 7);
    expect([waiting, idsOf(shown)]).toEqual([2, [7]]);
  });

  it.each([undefined, 99])('with %s on top before, are all shown', (topId) => {
    const { waiting, shown } = splitNews([nine, eight], topId);
    expect([waiting, idsOf(shown)]).toEqual([0, [9, 8]]);
  });

  it('that came since, are told of, but not those of earlier that came late', () => {
    expect(idsOf(arrivalsSince([eight], [nine, eight, seven]))).toEqual([9]);
    expect(idsOf(arrivalsSince([], [eight]))).toEqual([8]);
  });
});
