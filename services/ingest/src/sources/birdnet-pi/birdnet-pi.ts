import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { daysBefore, isDay } from '@birdhub/shared/time';
import { type ConnectionTest, testConnection } from '../connection-test.js';
import type { RepeatedHour } from '../local-time.js';
import { firstDayOf } from '../local-time.js';
import { say } from '../sentences.js';
import {
  type DroppedEvent,
  type FetchOutcome,
  type Json,
  type KnownEvent,
  type Mapped,
  type ReadRequest,
  type SourceConfig,
  type SourceKind,
  type Upstream,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamPage,
} from '../source-kind.js';
import { checkDatabasePath, type ExpectedTable, SqliteFile, type SqliteRow } from '../sqlite/sqlite-file.js';
import { isWithin, readObject, readText } from '../upstream-values.js';
import { fetchClip } from './clips.js';
import {
  type BirdNetPiContext,
  type BirdNetPiRow,
  callMs,
  isRowOf,
  mapRow,
  padMs,
  timeOfKey,
  toClipReference,
} from './map-birdnet-pi.js';

/** BirdNET-Pi: its database by path, its clips from the file system or by HTTP. */
export const birdnetPi: SourceKind = {
  name: 'birdnet-pi',
  canWriteBack: false,
  hasOneBirdPerEvent: true,
  // Users rename detections later.
  rereadDays: 7,
  check({ path }) {
    const problem = checkDatabasePath(path);
    return problem === undefined ? [] : [problem];
  },
  open: (config, deps) => new BirdNetPi(config, deps),
};

/** The position after a row, which is verified by its time, as SQLite may reuse row ids. */
interface Cursor {
  readonly rowid: number;
  /** `date time` of the row; null before the first. */
  readonly at: string | null;
  /** The last day that was read, to recover the position. */
  readonly day: string;
  readonly hour: RepeatedHour | null;
}

const table: ExpectedTable = {
  name: 'detections',
  columns: ['Date', 'Time', 'Sci_Name', 'Com_Name', 'Confidence', 'File_Name'],
};
/** Texts are truncated, so that a row cannot fill the memory. */
const columns = `rowid, substr(CAST(Date AS TEXT), 1, 40), substr(CAST(Time AS TEXT), 1, 40),
  substr(CAST(Sci_Name AS TEXT), 1, 200), substr(CAST(Com_Name AS TEXT), 1, 200),
  CASE typeof(Confidence) WHEN 'text' THEN substr(Confidence, 1, 40) WHEN 'blob' THEN NULL ELSE Confidence END,
  substr(CAST(File_Name AS TEXT), 1, 300)`;
const maxBatch = 1_000;
/** Maximum batches without a matching row in one read. */
const maxBatches = 25;

/** Reads the database of a BirdNET-Pi, and its clips from their folder or by HTTP. */
class BirdNetPi implements Upstream {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  #database: { readonly path: string; readonly file: SqliteFile } | undefined;

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
  }

  test(signal: AbortSignal): ReturnType<Upstream['test']> {
    const test: ConnectionTest<SqliteRow> = {
      address: async () => {
        const { path, file } = await this.#open();
        await file.open(signal);
        return say('db_found', { path });
      },
      login: async () => say('login_not_needed_file'),
      version: async () => {
        await (await this.#open()).file.requireTable(signal);
        return say('db_of', { program: 'BirdNET-Pi' });
      },
      list: () => this.#query(`SELECT ${columns} FROM detections ORDER BY rowid DESC LIMIT 50`, [], signal),
      map: (rows) => rows.map((row) => mapRow(toRow(row), this.#context())),
      noBirds: say('no_birds_heard', { program: 'BirdNET-Pi' }),
      instantOf: ({ start }) => start + padMs,
      withoutClips: [say('without_sound')],
    };
    return testConnection(this, test, signal);
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage> {
    const events = new Map<string, UpstreamEvent>();
    const dropped: DroppedEvent[] = [];
    const size = Math.max(1, Math.min(request.limit, maxBatch));
    const firstDay = firstDayOf(request.since, this.#config.options.timezone);
    let cursor = toCursor(request.cursor) ?? (await this.#findPosition(firstDay, signal));
    let isLast = false;
    for (let batch = 0; batch < maxBatches && !isLast && events.size + dropped.length === 0; batch += 1) {
      const rows = await this.#readAfter(cursor, size, signal);
      if (rows === undefined) {
        cursor = await this.#findPosition(daysBefore(cursor.day, 1), signal);
        continue;
      }
      isLast = rows.length < size;
      let hour = cursor.hour ?? undefined;
      for (const row of rows) {
        const mapped = mapRow(row, { ...this.#context(), hour });
        hour = mapped.hour;
        if ('event' in mapped) {
          const { event } = mapped;
          if (isWithin(event.start + padMs, request) && !events.has(event.upstreamId))
            events.set(event.upstreamId, event);
        } else if (mapped.dropped.at === undefined || isWithin(mapped.dropped.at, request))
          dropped.push(mapped.dropped);
      }
      cursor = moveTo(cursor, rows.at(-1), hour);
    }
    return { events: [...events.values()], dropped, cursor: toJson(cursor), isLast };
  }

  async readAgain(event: KnownEvent, signal: AbortSignal): Promise<Mapped | undefined> {
    const reference = toClipReference(event.reference);
    const isOf = (row: BirdNetPiRow) => isRowOf(row, event.upstreamId, reference);
    const context = { ...this.#context(), minConfidence: undefined, knownInstant: event.start + padMs };
    const { date, time } = timeOfKey(event.upstreamId);
    const byRow = reference
      ? await this.#query(`SELECT ${columns} FROM detections WHERE rowid = ?`, [reference.rowid], signal)
      : [];
    const found =
      byRow.map(toRow).find(isOf) ??
      (
        await this.#query(
          `SELECT ${columns} FROM detections WHERE Date = ? AND Time = ? LIMIT 100`,
          [date, time],
          signal,
        )
      )
        .map(toRow)
        .find(isOf);
    if (!found) return undefined;
    const mapped = mapRow(found, context);
    return 'event' in mapped ? { event: { ...mapped.event, upstreamId: event.upstreamId } } : mapped;
  }

  async fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome> {
    const reference = toClipReference(event.reference);
    if (!reference) return { outcome: 'never', reason: say('clip_unnamed', { program: 'BirdNET-Pi' }) };
    const { username, password, url } = this.#config;
    const { path } = await this.#open();
    const credential = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
    const headers: Record<string, string> = username ? { authorization: `Basic ${credential}` } : {};
    const places = { database: path, hasUrl: url !== undefined, headers };
    const now = this.#deps.clock.now();
    const way = { http: this.#deps.http, now, signal };
    const outcome = withMiddle(event, await fetchClip(reference, file, places, way));
    if (outcome.outcome !== 'never') return outcome;
    // The clip is renamed when its species is changed.
    const again = await this.readAgain(event, signal);
    const renamed =
      again && 'event' in again ? toClipReference(again.event.media?.reference ?? null) : undefined;
    if (!renamed || renamed.file === reference.file) return outcome;
    return withMiddle(event, await fetchClip(renamed, file, places, way));
  }

  async close(): Promise<void> {
    await this.#database?.file.close();
    this.#database = undefined;
  }

  #context(): BirdNetPiContext {
    const { timezone, minConfidence } = this.#config.options;
    return { zone: timezone, minConfidence };
  }

  /** The path may be that of the database or of a BirdNET-Pi folder. */
  async #open(): Promise<{ readonly path: string; readonly file: SqliteFile }> {
    if (this.#database) return this.#database;
    const given = this.#config.path ?? '';
    const isFolder = await stat(given).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const path = isFolder ? await findDatabase(given) : given;
    this.#database = { path, file: new SqliteFile(path, table) };
    return this.#database;
  }

  async #query(
    sql: string,
    parameters: readonly (string | number)[],
    signal: AbortSignal,
  ): Promise<readonly SqliteRow[]> {
    const { file } = await this.#open();
    return file.query(sql, parameters, signal);
  }

  /** Returns the position before the first row of a day or later. */
  async #findPosition(day: string, signal: AbortSignal): Promise<Cursor> {
    const [row] = await this.#query(
      `SELECT coalesce((SELECT min(rowid) FROM detections WHERE Date >= ?),
        (SELECT max(rowid) + 1 FROM detections), 1) - 1`,
      [day],
      signal,
    );
    return { rowid: Number(row?.[0] ?? 0), at: null, day, hour: null };
  }

  /**
   * Returns the rows after a position; undefined when the row there has changed, as after a deletion or in a new file.
   */
  async #readAfter(cursor: Cursor, size: number, signal: AbortSignal): Promise<BirdNetPiRow[] | undefined> {
    const isKnown = cursor.at !== null;
    const rows = await this.#query(
      `SELECT ${columns} FROM detections WHERE rowid ${isKnown ? '>=' : '>'} ? ORDER BY rowid LIMIT ?`,
      [cursor.rowid, isKnown ? size + 1 : size],
      signal,
    );
    const read = rows.map(toRow);
    if (!isKnown) return read;
    const [last, ...next] = read;
    return last?.rowid === cursor.rowid && timeOf(last) === cursor.at ? next : undefined;
  }
}

/** The length of clips is a setting of BirdNET-Pi; the detection is in the middle. */
function withMiddle(event: KnownEvent, fetched: FetchOutcome): FetchOutcome {
  const middle = event.start + padMs + callMs / 2;
  return fetched.outcome === 'ready' ? { ...fetched, middle } : fetched;
}

/** Finds the database in a folder. @throws UpstreamError */
async function findDatabase(folder: string): Promise<string> {
  for (const name of ['birds.db', 'scripts/birds.db', 'BirdNET-Pi/scripts/birds.db']) {
    const path = join(folder, name);
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isFile) return path;
  }
  throw new UpstreamError('address', say('db_not_in_folder', { path: folder }));
}

function toRow([rowid, date, time, scientific, common, confidence, file]: SqliteRow): BirdNetPiRow {
  return { rowid: Number(rowid), date, time, scientific, common, confidence, file };
}

const timeOf = ({ date, time }: BirdNetPiRow) => `${date} ${time}`;

function moveTo(cursor: Cursor, row: BirdNetPiRow | undefined, hour: RepeatedHour | undefined): Cursor {
  if (!row) return cursor;
  const day = readText(row.date) ?? '';
  return { rowid: row.rowid, at: timeOf(row), day: isDay(day) ? day : cursor.day, hour: hour ?? null };
}

function toJson({ rowid, at, day, hour }: Cursor): Json {
  return { rowid, at, day, hour: hour && { ...hour } };
}

function toCursor(json: Json | undefined): Cursor | undefined {
  const { rowid, at, day, hour } = readObject(json);
  if (typeof rowid !== 'number' || typeof day !== 'string' || !isDay(day)) return undefined;
  const { latest, isSecond } = readObject(hour);
  const isHour = typeof latest === 'number' && typeof isSecond === 'boolean';
  return { rowid, at: typeof at === 'string' ? at : null, day, hour: isHour ? { latest, isSecond } : null };
}
