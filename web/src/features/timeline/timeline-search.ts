import { type Day, dayFromUrl } from '../../lib/days';

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
}

/** Search parameters of the timeline. */
export interface TimelineSearch extends TimelineFilters {
  readonly date?: Day;
  /** Shows the review instead of the day. */
  readonly review?: 1;
  /** Last day of the review. */
  readonly until?: Day;
}

const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** Validates search parameters; invalid ones are dropped, so that old links still open. */
export function timelineSearch(raw: Record<string, unknown>): TimelineSearch {
  const { date, review, until, camera_id, species_id, source, media_kind, group, favorite, min_confidence } =
    raw;
  const share = Number(min_confidence);
  const [day, lastDay] = [dayFromUrl(date), dayFromUrl(until)];
  return {
    ...(day !== undefined && { date: day }),
    ...((review === 1 || review === true) && { review: 1 as const }),
    ...(lastDay !== undefined && { until: lastDay }),
    ...(camera_id !== undefined && camera_id !== '' && { camera_id: String(camera_id) }),
    ...(isPositiveInteger(species_id) && { species_id }),
    ...((source === 'video' || source === 'audio') && { source }),
    ...(isMediaKind(media_kind) && { media_kind }),
    ...(isGroup(group) && { group }),
    ...((favorite === true || favorite === 1) && { favorite: true as const }),
    ...(share > 0 && share <= 1 && { min_confidence: share }),
  };
}

/** Returns only the filters of search parameters. */
export function filtersOf(search: TimelineSearch): TimelineFilters {
  const { date: _date, review: _review, until: _until, ...filters } = search;
  return filters;
}

/** Returns the filters for a browser that hides animals that are no birds, unless they are asked for. */
export const withHiddenAnimals = (filters: TimelineFilters, areHidden: boolean): TimelineFilters =>
  areHidden && filters.group === undefined ? { ...filters, group: 'bird' } : filters;

/** Returns the path of the export of a day. */
export function exportPath(date: Day, filters: TimelineFilters, format: 'csv' | 'json' | 'ebird'): string {
  const parameters = Object.entries({ date, ...filters, format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/ui/timeline/export?${new URLSearchParams(parameters)}`;
}
