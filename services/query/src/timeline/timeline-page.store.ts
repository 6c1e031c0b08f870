import type pg from 'pg';
import type { Place } from './timeline-cursor.js';

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

/** Reads a page of items with a statement of `timelineItemsSql`. */
export async function readTimelinePage(
  pool: pg.Pool,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<TimelinePage> {
  const { rows } = await pool.query<{ body: string; place: string }>(statement);
  const [row] = rows;
  if (!row) throw new Error('a statement of timeline items answered no row');
  const body = Buffer.from(row.body);
  const { hasMore, lastId, earliest, latest } = JSON.parse(row.place) as PagePlace;
  if (earliest === null || latest === null || lastId === null)
    return { body, last: undefined, span: undefined };
  return {
    body,
    last: hasMore ? { start: earliest, id: lastId } : undefined,
    span: { from: earliest, to: latest },
  };
}
