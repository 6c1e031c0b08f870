import { createHash } from 'node:crypto';
import type { TimeWindow } from '@birdhub/shared/time';
import { type TimelineFilter, timelineFilters } from '@birdhub/shared/timeline';
import type pg from 'pg';
import type { TimelineQuery } from './timeline.schema.js';
import type { Place } from './timeline-cursor.js';
import { timelineSql } from './timeline-sql.js';

/** What is looked for in the timeline. */
export interface TimelineSearch {
  readonly window: TimeWindow;
  readonly filters: Pick<TimelineQuery, TimelineFilter>;
  readonly limit: number | undefined;
  /** The last item of the page before. */
  readonly after: Place | undefined;
}

/** A page of the timeline. */
export interface TimelinePage {
  /** A JSON array of items, newest first. */
  readonly body: Buffer;
  /** The last item when there are more. */
  readonly last: Place | undefined;
  /** From the start of the earliest item to the end of the latest, in ms; undefined when there is none. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
}

/** Where a page lies; instants in ms since the epoch, null when it is empty. */
interface PagePlace {
  readonly hasMore: boolean;
  readonly lastId: number | null;
  readonly earliest: number | null;
  readonly latest: number | null;
}

/** The bytes of text columns as they come: what is only passed on is not decoded and encoded again. */
const asBytes = {
  binary: true,
  // The driver reads the next message into the same memory.
  types: { getTypeParser: () => (value: Buffer) => Buffer.from(value) },
};

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
  const statement = { ...statementFor(given), ...asBytes, values };
  const { rows } = await pool.query<{ body: Buffer; place: Buffer }>(statement);
  const [row] = rows;
  if (!row) throw new Error('the timeline statement answered no row');
  const { body } = row;
  const { hasMore, lastId, earliest, latest } = JSON.parse(row.place.toString()) as PagePlace;
  if (earliest === null || latest === null || lastId === null)
    return { body, last: undefined, span: undefined };
  return {
    body,
    last: hasMore ? { start: earliest, id: lastId } : undefined,
    span: { from: earliest, to: latest },
  };
}
