import { addDays, type Day, dayFromUrl } from '../../lib/days';
import { type MovingRange, movingRanges, type TimeRange } from './time-range';

const mediaKinds = ['video', 'audio', 'image'] as const;
const isMediaKind = (value: unknown): value is (typeof mediaKinds)[number] =>
  mediaKinds.some((kind) => kind === value);

const groups = ['bird', 'other_animal'] as const;
const isGroup = (value: unknown): value is (typeof groups)[number] => groups.some((group) => group === value);

/** Filters of the timeline. */
export interface TimelineFilters {
  readonly camera_id?: string;
  readonly species_id?: number;
  readonly source?: 'video' | 'audio';
  readonly media_kind?: (typeof mediaKinds)[number];
  readonly group?: (typeof groups)[number];
  readonly favorite?: true;
  readonly min_confidence?: number;
  /** Hour of the clock at which visits start, 0 to 23. */
  readonly hour?: number;
}

/** Search parameters of the timeline. */
export interface TimelineSearch extends TimelineFilters {
  /** A single day instead of a range. */
  readonly date?: Day;
  /** First and last day. */
  readonly from?: Day;
  readonly to?: Day;
  /** A range relative to today. */
  readonly range?: MovingRange;
  /** Shows the review instead of the timeline. */
  readonly review?: 1;
  /** Last day of the review. */
  readonly until?: Day;
}

const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

const isHour = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 24;

/** Validates search parameters; invalid ones are dropped, so that old links still work. */
export function timelineSearch(raw: Record<string, unknown>): TimelineSearch {
  const { date, from, to, range, review, until } = raw;
  const { camera_id, species_id, source, media_kind, group, favorite, min_confidence, hour } = raw;
  const share = Number(min_confidence);
  const [day, lastDay] = [dayFromUrl(date), dayFromUrl(until)];
  const [one, other] = [dayFromUrl(from), dayFromUrl(to)];
  const isReversed = one !== undefined && other !== undefined && one > other;
  const [first, last] = isReversed ? [other, one] : [one, other];
  const moving = movingRanges.find((name) => name === range);
  const hasDays = first !== undefined || last !== undefined;
  return {
    ...(day !== undefined && { date: day }),
    ...(day === undefined && first !== undefined && { from: first }),
    ...(day === undefined && last !== undefined && { to: last }),
    ...(day === undefined && !hasDays && moving !== undefined && { range: moving }),
    ...((review === 1 || review === true) && { review: 1 as const }),
    ...(lastDay !== undefined && { until: lastDay }),
    ...(camera_id !== undefined && camera_id !== '' && { camera_id: String(camera_id) }),
    ...(isPositiveInteger(species_id) && { species_id }),
    ...((source === 'video' || source === 'audio') && { source }),
    ...(isMediaKind(media_kind) && { media_kind }),
    ...(isGroup(group) && { group }),
    ...((favorite === true || favorite === 1) && { favorite: true as const }),
    ...(share > 0 && share <= 1 && { min_confidence: share }),
    ...(isHour(hour) && { hour }),
  };
}

/** Returns only the filters of search parameters. */
export function filtersOf(search: TimelineSearch): TimelineFilters {
  const { date: _d, from: _f, to: _t, range: _g, review: _r, until: _u, ...filters } = search;
  return filters;
}

/** Adds the filter of a browser that hides animals other than birds, unless the filters ask for them. */
export const withHiddenAnimals = (filters: TimelineFilters, areHidden: boolean): TimelineFilters =>
  areHidden && filters.group === undefined ? { ...filters, group: 'bird' } : filters;

/** Returns the path of the export of a range; `startOf` returns the start of a day. */
export function exportPath(
  { from, to }: Pick<TimeRange, 'from' | 'to'>,
  filters: TimelineFilters,
  format: 'csv' | 'json' | 'ebird',
  startOf: (day: Day) => Date,
): string {
  const days =
    from === to
      ? { date: to }
      : { start_time: startOf(from ?? to).toISOString(), end_time: startOf(addDays(to, 1)).toISOString() };
  const parameters = Object.entries({ ...days, ...filters, format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/ui/timeline/export?${new URLSearchParams(parameters)}`;
}
