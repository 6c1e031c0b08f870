import {
  type BoundFilters,
  type TimelineFilter,
  unlinkedOfWindow,
  visitsOfWindow,
} from '@birdhub/domain/timeline';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import type { Place } from './timeline-cursor.js';
import { itemColumns, readTimelinePage, type TimelinePage, timelineItemsSql } from './timeline-page.store.js';

/** What is looked for in the timeline. */
export interface TimelineSearch {
  readonly window: TimeWindow;
  readonly filters: BoundFilters;
  readonly limit: number | undefined;
  /** The last item of the page before. */
  readonly after: Place | undefined;
}

/**
 * Reads a page of the timeline with one statement, whatever the number of visits; of a large one, with a second.
 * @throws HubError busy
 */
export async function readTimeline(
  pool: pg.Pool,
  search: TimelineSearch,
  budget: ResponseBudget,
): Promise<TimelinePage> {
  const { window, filters, limit, after } = search;
  // Items that start with the last of the page before are told apart by their number.
  const end = after ? Math.min(window.end, after.start + 1) : window.end;
  const valuesFor = (maxBytes: number) => [
    new Date(window.start),
    new Date(end),
    after ? new Date(after.start) : null,
    after ? after.id : null,
    limit ?? null,
    maxBytes,
    ...filters.values,
  ];
  // Without a name it is planned for the window at hand: a plan for any window takes minutes where a window has most visits.
  const text = timelineSql(filters.names);
  return readTimelinePage(pool, (maxBytes) => ({ text, values: valuesFor(maxBytes) }), budget);
}

/** How many parameters stand before those of the filters. */
const fixedParameters = 6;

/** Front ends show the species of every item, so an unlinked recording stands under the generic bird. */
const candidates = (filters: readonly TimelineFilter[]) => `
    SELECT ${itemColumns}
    FROM (${visitsOfWindow(filters, fixedParameters + 1)}) visit
    UNION ALL
    SELECT -id, start_time, end_time, (SELECT species_id FROM species_alias WHERE key = 'bird'), 0, 0
    FROM (${unlinkedOfWindow(filters, fixedParameters + 1)}) video`;

/**
 * The statement of a set of filters. Parameters: window start, window end, place of the last item before (start, id; or
 * null), limit (or null), most bytes, filters.
 */
export const timelineSql = (filters: readonly TimelineFilter[]): string =>
  timelineItemsSql(
    `
    SELECT * FROM (${candidates(filters)}) found
    WHERE $3::timestamptz IS NULL OR (start_time, id) < ($3, $4::bigint)`,
    '$5',
    '$6',
  );
