import { type Day, dayFromUrl } from '../../lib/days';

/** What of a day is shown. */
export interface TimelineFilters {
  readonly camera_id?: string;
  readonly species_id?: number;
  readonly source?: 'video' | 'audio';
  readonly favorite?: true;
  readonly min_confidence?: number;
}

/** What the address of the timeline says: the day and what is shown of it. */
export interface TimelineSearch extends TimelineFilters {
  readonly date?: Day;
  /** One doubtful detection after the other, instead of the day. */
  readonly review?: 1;
  /** Last of the days that are reviewed. */
  readonly until?: Day;
}

const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** Takes from an address what it may say; anything else is left out, so that an old link still opens. */
export function timelineSearch(raw: Record<string, unknown>): TimelineSearch {
  const { date, review, until, camera_id, species_id, source, favorite, min_confidence } = raw;
  const share = Number(min_confidence);
  const [day, lastDay] = [dayFromUrl(date), dayFromUrl(until)];
  return {
    ...(day !== undefined && { date: day }),
    ...((review === 1 || review === true) && { review: 1 as const }),
    ...(lastDay !== undefined && { until: lastDay }),
    ...(camera_id !== undefined && camera_id !== '' && { camera_id: String(camera_id) }),
    ...(isPositiveInteger(species_id) && { species_id }),
    ...((source === 'video' || source === 'audio') && { source }),
    ...((favorite === true || favorite === 1) && { favorite: true as const }),
    ...(share > 0 && share <= 1 && { min_confidence: share }),
  };
}

/** The filters of an address alone. */
export function filtersOf(search: TimelineSearch): TimelineFilters {
  const { date: _date, review: _review, until: _until, ...filters } = search;
  return filters;
}

/** Where a day's visits are downloaded from, with what is shown of it. */
export function exportPath(date: Day, filters: TimelineFilters, format: 'csv' | 'json' | 'ebird'): string {
  const parameters = Object.entries({ date, ...filters, format }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return `/api/ui/timeline/export?${new URLSearchParams(parameters)}`;
}
