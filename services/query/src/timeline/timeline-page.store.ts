import type pg from 'pg';
import type { AnswerBudget } from '../answers/answer-budget.js';
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
  /** How large it is, about. */
  readonly bytes: number;
}

/** A statement of `timelineItemsSql` for pages of at most so many bytes. */
export type PageStatement = (maxBytes: number) => {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
};

const [opening, comma, closing] = ['[', ',', ']'].map((text) => Buffer.from(text));

function joinParts(texts: readonly { readonly text: string }[]): Buffer {
  const pieces = texts.flatMap(({ text }, index) => [index === 0 ? opening : comma, Buffer.from(text)]);
  return Buffer.concat([...(pieces.length ? pieces : [opening]), closing].flatMap((piece) => piece ?? []));
}

/** The page, and nothing but its place when it is larger than asked for. */
async function read(pool: pg.Pool, statement: ReturnType<PageStatement>, maxBytes: number) {
  const { rows } = await pool.query<{ part: number; text: string }>(statement);
  const [first, ...parts] = rows;
  if (!first) throw new Error('a statement of timeline items returned no row');
  const place = JSON.parse(first.text) as PagePlace;
  return { place, body: place.bytes <= maxBytes ? joinParts(parts) : undefined };
}

function toPage({ hasMore, lastId, earliest, latest }: PagePlace, body: Buffer): TimelinePage {
  if (earliest === null || latest === null || lastId === null)
    return { body, last: undefined, span: undefined };
  return {
    body,
    last: hasMore ? { start: earliest, id: lastId } : undefined,
    span: { from: earliest, to: latest },
  };
}

/**
 * Reads a page of items, a large one when there is room for it.
 * @throws HubError busy
 */
export async function readTimelinePage(
  pool: pg.Pool,
  statement: PageStatement,
  budget: AnswerBudget,
): Promise<TimelinePage> {
  const { smallBytes } = budget;
  const { place, body } = await read(pool, statement(smallBytes), smallBytes);
  if (body) return toPage(place, body);
  return budget.reserve(place.bytes, async () => {
    const maxBytes = Number.MAX_SAFE_INTEGER;
    const large = await read(pool, statement(maxBytes), maxBytes);
    return toPage(large.place, large.body ?? joinParts([]));
  });
}
