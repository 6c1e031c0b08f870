import { describe, expect, it } from 'vitest';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { dayOf, hourOf } from '../../lib/days';
import {
  countHours,
  groupByHour,
  type Hour,
  type HourGroup,
  hourOnDay,
  joinSparse,
  layOutRows,
  moveCard,
  rowOfHour,
} from './visit-rows';

const item = (id: number, start_time: string): TimelineItem => ({
  id,
  timeline_kind: id < 0 ? 'unlinked_video' : 'visit',
  start_time,
  end_time: start_time,
  max_simultaneous: 1,
  total_recording_seconds: 10,
  video_duration_seconds: 10,
  weather: null,
  species: {
    id: 1,
    name: 'Great Tit',
    scientific_name: null,
    image_url: null,
    parent_id: null,
    group: 'bird',
  },
  media_kind: 'video',
  cameras: [],
  heard: null,
  thumbhash: null,
  detections: [],
});

const onDay = (day: string, zone: string) => (one: TimelineItem) =>
  hourOnDay(
    one,
    day,
    (instant) => dayOf(new Date(instant), zone),
    (instant) => hourOf(new Date(instant), zone),
  );

const hours = (groups: readonly HourGroup[]) =>
  groups.map((group) => [group.to, group.items.map(({ id }) => id)]);

describe('groupByHour', () => {
  it('a visit that began before midnight, stands apart from those of the first hour', () => {
    const items = [item(2, '2026-05-03T22:10:00Z'), item(1, '2026-05-03T21:59:00Z')];
    expect(hours(groupByHour(items, onDay('2026-05-04', 'Europe/Berlin')))).toEqual([
      [0, [2]],
      ['before', [1]],
    ]);
  });

  it('the hour that the clock shows twice in autumn, is one group', () => {
    const items = [
      item(3, '2026-10-25T01:30:00Z'),
      item(2, '2026-10-25T00:30:00Z'),
      item(1, '2026-10-24T22:30:00Z'),
    ];
    expect(hours(groupByHour(items, onDay('2026-10-25', 'Europe/Berlin')))).toEqual([
      [2, [3, 2]],
      [0, [1]],
    ]);
  });

  it('the hour that the clock leaves out in spring, has no group', () => {
    const items = [item(2, '2026-03-29T01:00:00Z'), item(1, '2026-03-29T00:59:59Z')];
    expect(hours(groupByHour(items, onDay('2026-03-29', 'Europe/Berlin')))).toEqual([
      [3, [2]],
      [1, [1]],
    ]);
  });

  it('a zone half an hour off, has the hours of its own clock', () => {
    const groups = groupByHour([item(1, '2026-06-01T00:15:00Z')], onDay('2026-06-01', 'Asia/Kolkata'));
    expect(hours(groups)).toEqual([[5, [1]]]);
  });
});

/** Items of a day: ids by hour, as given. */
function dayWith(parts: readonly (readonly [Hour, readonly number[]])[]) {
  return parts.map(([hour, ids]) => ({
    from: hour,
    to: hour,
    items: ids.map((id) => item(id, '2026-05-04T06:00:00Z')),
  }));
}

const day = dayWith([
  [9, [7, 6, -5, 4]],
  [7, [3]],
  ['before', [2]],
]);

describe('joinSparse', () => {
  const joined = (enough: number, groups = day) =>
    joinSparse(groups, enough).map(({ from, to, items }) => `${from}-${to}: ${items.length}`);

  it('every hour has enough, leaves them as they are', () => {
    expect(joined(1)).toEqual(['9-9: 4', '7-7: 1', 'before-before: 1']);
  });

  it('few in an hour, takes in the hours before until there are enough', () => {
    const sparse = dayWith([
      [20, [9]],
      [18, [8, 7]],
      [17, [6]],
      [3, [5]],
    ]);
    expect(joined(3, sparse)).toEqual(['18-20: 3', '3-17: 2']);
  });

  it('few at the end, does not take in the day before', () => {
    expect(joined(9)).toEqual(['7-9: 5', 'before-before: 1']);
  });
});

describe('layOutRows', () => {
  it('three beside each other, are lines that end with the hour', () => {
    const rows = layOutRows(day, 3).map((row) =>
      row.kind === 'heading' ? `${row.to}: ${row.visits}` : row.items.map(({ id }) => id),
    );
    expect(rows).toEqual(['9: 3', [7, 6, -5], [4], '7: 1', [3], 'before: 1', [2]]);
  });
});

describe('countHours', () => {
  it('recordings without a bird and the day before, are not counted', () => {
    const counts = countHours(day);
    expect([counts.length, counts[9], counts[7], counts.reduce((a, b) => a + b)]).toEqual([24, 3, 1, 4]);
  });
});

describe('rowOfHour', () => {
  const rows = layOutRows(day, 3);
  it.each([
    [23, 0],
    [9, 0],
    [8, 3],
    [7, 3],
    [3, 5],
  ])('hour %i, is found at line %i', (hour, line) => {
    expect(rowOfHour(rows, hour)).toBe(line);
  });

  it('an hour within a joined group, is found at its heading', () => {
    expect(rowOfHour(layOutRows(joinSparse(day, 9), 3), 7)).toBe(0);
  });

  it('an hour before all, is not found', () => {
    expect(rowOfHour(layOutRows(dayWith([[9, [1]]]), 1), 8)).toBe(-1);
  });
});

describe('moveCard', () => {
  const rows = layOutRows(day, 3);
  const to = (...[id, move, top]: [number | undefined, Parameters<typeof moveCard>[2], number?]) =>
    moveCard(rows, id, move, top)?.item.id;

  it.each([
    ['next in the line', 7, 'next', 6],
    ['next over the end of a line', -5, 'next', 4],
    ['next over the heading of an hour', 4, 'next', 3],
    ['next at the end', 2, 'next', undefined],
    ['previous over the heading of an hour', 3, 'previous', 4],
    ['previous over the end of a line', 4, 'previous', -5],
    ['previous at the start', 7, 'previous', undefined],
    ['down to a shorter line', 6, 'down', 4],
    ['down over a heading', 4, 'down', 3],
    ['up to a longer line', 4, 'up', 7],
    ['up at the start', 6, 'up', undefined],
  ] as const)('%s, leads from %i by %s to %s', (_case, id, move, target) => {
    expect(to(id, move)).toBe(target);
  });

  it('nothing chosen, leads to the first card that is in sight', () => {
    expect(to(undefined, 'next')).toBe(7);
    expect(to(undefined, 'next', 3)).toBe(3);
  });
});
