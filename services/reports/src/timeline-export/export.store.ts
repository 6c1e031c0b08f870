import type { TimeWindow } from '@birdhub/shared/time';
import { type TimelineFilter, type TimelineFilters, timelineFilters } from '@birdhub/shared/timeline';
import type pg from 'pg';
import { onOnePicture } from '../one-picture.js';
import { type RowFormat, rowsSql, type SlicePart, sightingsSql } from './export-sql.js';
import { sliceTime } from './time-slices.js';

/** What is exported: the visits of the timeline. */
export interface ExportSearch {
  readonly window: TimeWindow;
  readonly filters: TimelineFilters;
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

/** Asks for slice after slice of a window, newest first. */
async function* askSlices<T>({ window, filters }: ExportSearch, ask: Ask<T>): AsyncGenerator<T> {
  const given = timelineFilters.filter((filter) => filters[filter] !== undefined);
  const askPart = (part: SlicePart, { start, end }: TimeWindow) =>
    ask(part, given, [new Date(start), new Date(end), ...given.map((filter) => filters[filter])]);
  const slices = sliceTime(window);
  for (let slice = slices.next(); slice; slice = slices.next()) {
    const { found, rows } = await askPart('starting', slice);
    slices.learn(rows);
    yield found;
  }
  yield (await askPart('reaching', window)).found;
}

/** Columns as the bytes that the database sends: text that is only passed on is not decoded and encoded again. */
const asBytes = {
  binary: true,
  // The driver reads the next message into the same memory.
  types: { getTypeParser: () => (value: Buffer) => Buffer.from(value) },
};

/** The rows of an export as text, some thousands at a time and never none, newest first. */
export function readRows(pool: pg.Pool, format: RowFormat, search: ExportSearch): AsyncGenerator<Buffer> {
  return onOnePicture(pool, async function* (client) {
    const texts = askSlices(search, async (part, filters, values) => {
      const statement = { text: rowsSql(format, part, filters), values, ...asBytes };
      const [row] = (await client.query<{ text: Buffer; rows: Buffer }>(statement)).rows;
      if (!row) throw new Error('the statement of an export answered no row');
      return { found: row.text, rows: Number(row.rows.readBigInt64BE()) };
    });
    for await (const text of texts) if (text.length) yield text;
  });
}

/** The visits of an export one by one, newest first, without those of generic species. */
export function readSightings(pool: pg.Pool, search: ExportSearch): AsyncGenerator<Sighting> {
  return onOnePicture(pool, async function* (client) {
    const pieces = askSlices(search, async (part, filters, values) => {
      const { rows: found } = await client.query<Sighting>(sightingsSql(part, filters), values);
      return { found, rows: found.length };
    });
    for await (const sightings of pieces) yield* sightings;
  });
}
