import { createHash } from 'node:crypto';
import type { TimeWindow } from '@birdhub/shared/time';
import { type TimelineFilter, timelineFilters } from '@birdhub/shared/timeline';
import type pg from 'pg';
import type { TimelineQuery } from './timeline.schema.js';
import type { Place } from './timeline-cursor.js';
import { readTimelinePage, type TimelinePage } from './timeline-page.store.js';
import { timelineSql } from './timeline-sql.js';

/** What is looked for in the timeline. */
export interface TimelineSearch {
  readonly window: TimeWindow;
  readonly filters: Pick<TimelineQuery, TimelineFilter>;
  readonly limit: number | undefined;
  /** The last item of the page before. */
  readonly after: Place | undefined;
}

const statements = new Map<string, { name: string; text: string }>();

/** The statement of a set of filters; planned once on each connection. */
function statementFor(filters: readonly TimelineFilter[]): { name: string; text: string } {
  const key = filters.join();
  const known = statements.get(key);
  if (known) return known;
  const text = timelineSql(filters);
  const statement = { name: `timeline-${createHash('sha1').update(text).digest('hex')}`, text };
  statements.set(key, statement);
  return statement;
}

/** Reads a page of the timeline with one statement, whatever the number of visits. */
export async function readTimeline(pool: pg.Pool, search: TimelineSearch): Promise<TimelinePage> {
  const { window, filters, limit, after } = search;
  const given = timelineFilters.filter((filter) => filters[filter] !== undefined);
  // Items that start with the last of the page before are told apart by their number.
  const end = after ? Math.min(window.end, after.start + 1) : window.end;
  const values = [
    new Date(window.start),
    new Date(end),
    after ? new Date(after.start) : null,
    after ? after.id : null,
    limit ?? null,
    ...given.map((filter) => filters[filter]),
  ];
  return readTimelinePage(pool, { ...statementFor(given), values });
}
