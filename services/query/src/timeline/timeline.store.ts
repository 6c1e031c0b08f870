import type { BoundFilters } from '@birdhub/domain/timeline';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { AnswerBudget } from '../answers/answer-budget.js';
import type { Place } from './timeline-cursor.js';
import { readTimelinePage, type TimelinePage } from './timeline-page.store.js';
import { timelineSql } from './timeline-sql.js';

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
  budget: AnswerBudget,
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
