import type { BoundFilters, TimelineFilter } from '@birdhub/domain/timeline';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { onOnePicture } from '../one-picture.js';
import { type RowFormat, rowsSql, type SlicePart, sightingsSql } from './export-sql.js';
import { sliceTime } from './time-slices.js';

/** What is exported: the visits of the timeline. */
export interface ExportSearch {
  readonly window: TimeWindow;
  readonly filters: BoundFilters;
}

/** A visit of a species that is not generic; instants in ms since the epoch. */
export interface Sighting {
  readonly name: string;
  readonly scientificName: string | null;
  /** Most birds at once. */
  readonly count: number;
  readonly start: number;
  readonly end: number;
}

/** What a statement found in a slice, and how much that is. */
interface Piece<T> {
  readonly found: T;
  readonly rows: number;
}

type Ask<T> = (part: SlicePart, filters: readonly TimelineFilter[], values: unknown[]) => Promise<Piece<T>>;

/** Asks for slice after slice of a window, newest first; two are asked for while one is in use. */
async function* askSlices<T>({ window, filters }: ExportSearch, ask: Ask<T>): AsyncGenerator<T> {
  const askPart = (part: SlicePart, { start, end }: TimeWindow) => {
    const piece = ask(part, filters.names, [new Date(start), new Date(end), ...filters.values]);
    // It may fail before its turn comes.
    void Promise.allSettled([piece]);
    return piece;
  };
  const slices = sliceTime(window);
  const asked: { readonly slice: TimeWindow; readonly piece: Promise<Piece<T>> }[] = [];
  const askNext = () => {
    const slice = slices.next();
    if (slice) asked.push({ slice, piece: askPart('starting', slice) });
  };
  askNext();
  // The database begins with the second while the first is on its way.
  askNext();
  for (let first = asked.shift(); first; first = asked.shift()) {
    const { found, rows } = await first.piece;
    slices.learn(first.slice, rows);
    askNext();
    yield found;
  }
  yield (await askPart('reaching', window)).found;
}

/** The rows of an export as text, some thousands at a time and never none, newest first. */
export function readRows(pool: pg.Pool, format: RowFormat, search: ExportSearch): AsyncGenerator<string> {
  return onOnePicture(pool, async function* (client) {
    const texts = askSlices(search, async (part, filters, values) => {
      const { rows } = await client.query<Piece<string>>(rowsSql(format, part, filters), values);
      if (!rows[0]) throw new Error('the statement of an export answered no row');
      return rows[0];
    });
    for await (const text of texts) if (text) yield text;
  });
}

/** The visits of an export slice by slice, newest first, without those of generic species; an abort ends the reading. */
export function readSightings(
  pool: pg.Pool,
  search: ExportSearch,
  signal: AbortSignal,
): AsyncGenerator<readonly Sighting[]> {
  return onOnePicture(pool, async function* (client) {
    const pieces = askSlices(search, async (part, filters, values) => {
      const { rows: found } = await client.query<Sighting>(sightingsSql(part, filters), values);
      return { found, rows: found.length };
    });
    for await (const sightings of pieces) {
      signal.throwIfAborted();
      yield sightings;
    }
  });
}
