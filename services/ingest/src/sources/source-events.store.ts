import { inTransaction } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import { type Sentence, toEnglish } from './sentences.js';
import type { DroppedEvent, Json, KnownEvent } from './source-kind.js';

/** The state of the file of an event; `unwanted` for an import without files. */
export type EventMedia = 'none' | 'unwanted' | 'waiting' | 'ready' | 'gone';

/** A stored event. */
export interface StoredEvent {
  readonly id: number;
  readonly upstreamId: string;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly cameraId: string;
  readonly videoPath: string;
  /** Null until it is stored as a recording. */
  readonly videoId: number | null;
  /** Hexadecimal. */
  readonly fingerprint: string | null;
  readonly rereads: number;
  readonly reference: Json;
  readonly media: EventMedia;
  readonly mediaTries: number;
  readonly clipStart: number | null;
  readonly clipEnd: number | null;
  readonly writeNames: Readonly<Record<string, string>> | null;
  readonly writeTries: number;
}

const columns = `
  id, upstream_id AS "upstreamId", ${msSql('started_at')} AS start, ${msSql('ended_at')} AS "end", is_open AS "isOpen",
  camera_id AS "cameraId", video_path AS "videoPath", video_id AS "videoId", encode(fingerprint, 'hex') AS fingerprint,
  rereads, reference, media, media_tries AS "mediaTries", ${msSql('clip_started_at')} AS "clipStart",
  ${msSql('clip_ended_at')} AS "clipEnd", write_names AS "writeNames", write_tries AS "writeTries"`;

/** A new event. */
export interface NewEvent {
  readonly upstreamId: string;
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly cameraId: string;
  readonly videoPath: string;
}

/** The outcome of an event. */
export interface EventOutcome {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly videoId: number | null;
  readonly fingerprint: string | null;
  /** When it is read again, in ms; null for never. */
  readonly rereadAt: number | null;
  readonly rereads: number;
  readonly reference: Json;
  readonly media: EventMedia;
  readonly mediaAt: number | null;
  /** The span of the file when the event was read. */
  readonly clipStart: number | null;
  readonly clipEnd: number | null;
}

/** The progress of live reading, stored with the outcomes. */
export interface ReadProgress {
  readonly cursor: Json;
  /** Everything upstream was read up to this time, in ms. */
  readonly readUntil: number;
}

/** The outcome of a page. */
export interface PageOutcome {
  readonly sourceId: number;
  readonly outcomes: readonly EventOutcome[];
  readonly dropped: readonly DroppedEvent[];
  /** Number of new recordings. */
  readonly added: number;
  /** Names of cameras upstream. */
  readonly cameras: readonly string[];
  /** Only for live reading, which must stop when the source has been changed in the meantime. */
  readonly live?: (ReadProgress & { readonly revision: number }) | undefined;
}

/** A skipped event, as listed in responses. */
export interface ListedDrop {
  readonly at: Date | null;
  /** In English. */
  readonly reason: string;
  readonly sentences: readonly Sentence[] | null;
  readonly upstreamId: string;
}

/** Thrown when a source was deleted or changed while it was read. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError';
}

const maxDropped = 50;
const maxCameras = 100;
const maxReasonLength = 500;

const findSql = `SELECT ${columns} FROM source_event WHERE source_id = $1 AND upstream_id = ANY ($2)`;

/** Local times of the hour that is repeated in autumn may have been understood as the other one. */
const findAtSql = `SELECT ${columns} FROM source_event WHERE source_id = $1 AND started_at IN (
  to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0) - interval '1 hour', to_timestamp($2 / 1000.0) + interval '1 hour')
  ORDER BY id`;

const addSql = `
  WITH present AS (
    SELECT id FROM source WHERE id = $1 AND removed_at IS NULL AND ($2::int IS NULL OR revision = $2) FOR KEY SHARE),
  added AS (
    INSERT INTO source_event (source_id, upstream_id, started_at, ended_at, is_open, camera_id, video_path)
    SELECT present.id, "upstreamId", to_timestamp(start / 1000.0), to_timestamp("end" / 1000.0), "isOpen", "cameraId", "videoPath"
    FROM present, json_to_recordset($3) AS new
      ("upstreamId" text, start float8, "end" float8, "isOpen" boolean, "cameraId" text, "videoPath" text)
    ORDER BY "upstreamId" ON CONFLICT (source_id, upstream_id) DO NOTHING)
  SELECT count(*)::int AS present FROM present`;

/**
 * A file may have arrived while the event was read; the event is then still due to be read again, for the span of the
 * file.
 */
const saveSql = `
  UPDATE source_event AS old SET
    started_at = to_timestamp(new.start / 1000.0), ended_at = to_timestamp(new."end" / 1000.0), is_open = new."isOpen",
    video_id = coalesce(new."videoId", old.video_id), fingerprint = coalesce(decode(new.fingerprint, 'hex'), old.fingerprint),
    reread_at = CASE WHEN (${msSql('old.clip_started_at')}, ${msSql('old.clip_ended_at')})
      IS NOT DISTINCT FROM (new."clipStart", new."clipEnd")
      THEN to_timestamp(new."rereadAt" / 1000.0) ELSE old.reread_at END, rereads = new.rereads, reference = new.reference,
    media_at = CASE WHEN old.media IN ('none', 'unwanted') THEN to_timestamp(new."mediaAt" / 1000.0) ELSE old.media_at END,
    media = CASE WHEN old.media IN ('none', 'unwanted') THEN new.media ELSE old.media END
  FROM json_to_recordset($1) AS new (id bigint, start float8, "end" float8, "isOpen" boolean, "videoId" bigint,
    fingerprint text, "rereadAt" float8, rereads int, reference jsonb, media text, "mediaAt" float8,
    "clipStart" bigint, "clipEnd" bigint)
  WHERE old.id = new.id`;

const advanceSql = `
  UPDATE source SET cursor = CASE WHEN $2::int IS NULL THEN cursor ELSE $3::jsonb END,
    read_until = CASE WHEN $2::int IS NULL THEN read_until ELSE to_timestamp($4 / 1000.0) END,
    message = CASE WHEN $2::int IS NULL THEN message END, message_said = CASE WHEN $2::int IS NULL THEN message_said END, last_contact_at = now(),
    last_event_at = greatest(last_event_at, to_timestamp($5 / 1000.0)), events = events + $6, dropped = dropped + $7,
    cameras = (SELECT coalesce(array_agg(name), '{}') FROM (
      SELECT DISTINCT unnest(cameras || $8::text[]) AS name ORDER BY name LIMIT ${maxCameras}) AS all_cameras)
  WHERE id = $1 AND removed_at IS NULL AND ($2::int IS NULL OR revision = $2)`;

const dropSql = `
  INSERT INTO source_dropped (source_id, upstream_id, reason, said, at)
  SELECT $1, "upstreamId", reason, said, to_timestamp(at / 1000.0)
  FROM json_to_recordset($2) AS new ("upstreamId" text, reason text, said jsonb, at float8)
  ON CONFLICT (source_id, upstream_id) DO UPDATE SET reason = EXCLUDED.reason, said = EXCLUDED.said, at = EXCLUDED.at
  RETURNING xmax = 0 AS "isNew"`;

const pruneSql = `
  DELETE FROM source_dropped WHERE source_id = $1 AND id <= (
    SELECT id FROM source_dropped WHERE source_id = $1 ORDER BY id DESC OFFSET ${maxDropped} LIMIT 1)`;

/** The events of sources. One process reads all sources; imports run concurrently. */
export class SourceEventStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(sourceId: number, upstreamIds: readonly string[]): Promise<StoredEvent[]> {
    return this.#events('source-events', findSql, [sourceId, upstreamIds]);
  }

  /** Returns the events that began at an instant, or an hour earlier or later. */
  findAt(sourceId: number, start: number): Promise<StoredEvent[]> {
    return this.#events('source-events-at', findAtSql, [sourceId, start]);
  }

  /** Adds new events before they are stored as recordings, so that their keys are permanent. @throws SourceChangedError */
  async add(sourceId: number, revision: number | undefined, events: readonly NewEvent[]): Promise<void> {
    const values = [sourceId, revision ?? null, JSON.stringify(events)];
    const { rows } = await this.#pool.query<{ present: number }>({
      name: 'add-source-events',
      text: addSql,
      values,
    });
    if (!rows[0]?.present) throw new SourceChangedError();
  }

  /** Stores the outcome of a page, with the cursor of live reading. @throws SourceChangedError */
  async save({ sourceId, outcomes, dropped, added, cameras, live }: PageOutcome): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      if (outcomes.length)
        await client.query({
          name: 'save-source-events',
          text: saveSql,
          values: [JSON.stringify(outcomes)],
        });
      const newlyDropped = await saveDropped(client, sourceId, dropped);
      const ends = outcomes.map(({ end }) => end);
      const lastEvent = ends.length ? Math.max(...ends) : null;
      const { rowCount } = await client.query({
        name: 'advance-source',
        text: advanceSql,
        values: [
          sourceId,
          live?.revision ?? null,
          JSON.stringify(live?.cursor ?? null),
          live?.readUntil ?? null,
          lastEvent,
          added,
          newlyDropped,
          cameras,
        ],
      });
      if (!rowCount) throw new SourceChangedError();
    });
  }

  /** Leases events that are due to be read again, the longest overdue first, until `leaseUntil`. */
  leaseRereads(sourceId: number, now: number, leaseUntil: number, limit: number): Promise<StoredEvent[]> {
    return this.#events(
      'source-rereads',
      `UPDATE source_event SET reread_at = to_timestamp($3 / 1000.0) WHERE id IN (
         SELECT id FROM source_event WHERE source_id = $1 AND reread_at <= to_timestamp($2 / 1000.0)
         ORDER BY reread_at, id LIMIT $4)
       RETURNING ${columns}`,
      [sourceId, now, leaseUntil, limit],
    );
  }

  /** Returns when the next event is due to be read again and the next file to be fetched, in ms; null for never. */
  async findNextDue(
    sourceId: number,
  ): Promise<{ readonly reread: number | null; readonly media: number | null }> {
    const { rows } = await this.#pool.query<{ reread: number | null; media: number | null }>({
      name: 'source-next-due',
      text: `SELECT
        (SELECT ${msSql('min(reread_at)')} FROM source_event WHERE source_id = $1 AND reread_at IS NOT NULL) AS reread,
        (SELECT ${msSql('min(media_at)')} FROM source_event WHERE source_id = $1 AND media = 'waiting' AND video_id IS NOT NULL)
          AS media`,
      values: [sourceId],
    });
    return rows[0] ?? { reread: null, media: null };
  }

  /** Returns the events whose file is due to be fetched, the longest overdue first. */
  listWaiting(sourceId: number, now: number, limit: number): Promise<StoredEvent[]> {
    return this.#events(
      'source-media',
      `SELECT ${columns} FROM source_event
       WHERE source_id = $1 AND media = 'waiting' AND media_at <= to_timestamp($2 / 1000.0) AND video_id IS NOT NULL
       ORDER BY media_at, id LIMIT $3`,
      [sourceId, now, limit],
    );
  }

  /** Returns the events whose names are due to be written back. */
  listWrites(sourceId: number, now: number, limit: number): Promise<StoredEvent[]> {
    return this.#events(
      'source-writes',
      `SELECT ${columns} FROM source_event
       WHERE source_id = $1 AND write_names IS NOT NULL AND write_at <= to_timestamp($2 / 1000.0)
       ORDER BY write_at, id LIMIT $3`,
      [sourceId, now, limit],
    );
  }

  /** Schedules the next read of an event; undefined `at` for never. */
  async scheduleReread(id: number, at: number | undefined): Promise<void> {
    await this.#pool.query({
      name: 'source-reread-at',
      text: 'UPDATE source_event SET reread_at = to_timestamp($2 / 1000.0) WHERE id = $1',
      values: [id, at ?? null],
    });
  }

  /** Schedules another attempt to fetch a file; `tries` defaults to one more than before. */
  async retryMedia(id: number, at: number, tries?: number): Promise<void> {
    await this.#pool.query({
      name: 'source-media-later',
      text: `UPDATE source_event SET media_at = to_timestamp($2 / 1000.0), media_tries = coalesce($3, media_tries + 1)
        WHERE id = $1`,
      values: [id, at, tries ?? null],
    });
  }

  /** Stores the final state of a file. If its span is given, the event is read again and stored with that span. */
  async finishMedia(
    id: number,
    media: 'ready' | 'gone',
    clip?: { readonly start: number; readonly end: number },
  ): Promise<void> {
    await this.#pool.query({
      name: 'end-source-media',
      text: `UPDATE source_event SET media = $2, media_at = NULL, media_tries = media_tries + 1,
          clip_started_at = coalesce(to_timestamp($3 / 1000.0), clip_started_at),
          clip_ended_at = coalesce(to_timestamp($4 / 1000.0), clip_ended_at),
          reread_at = CASE WHEN $3::float8 IS NULL THEN reread_at ELSE now() END
        WHERE id = $1`,
      values: [id, media, clip?.start ?? null, clip?.end ?? null],
    });
  }

  /** Stores the outcome of writing names back: the written names, or the next attempt. */
  async saveWriteOutcome(
    id: number,
    written: Readonly<Record<string, string>>,
    retryAt: number | undefined,
  ): Promise<void> {
    await this.#pool.query({
      name: 'note-source-write',
      text: `UPDATE source_event SET write_tries = CASE WHEN $3::float8 IS NULL THEN 0 ELSE write_tries + 1 END,
          write_at = to_timestamp($3 / 1000.0),
          write_names = (SELECT jsonb_object_agg(key, value) FROM jsonb_each(write_names)
            WHERE $2::jsonb -> key IS DISTINCT FROM value)
        WHERE id = $1`,
      values: [id, JSON.stringify(written), retryAt ?? null],
    });
  }

  /** Requests that a name is written back to the sources of detections. Returns whether there are such sources. */
  async requestWrites(detectionIds: readonly number[], name: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `WITH wanted AS (
         SELECT source_event.id, jsonb_object_agg(coalesce(track_id, ''), $2::text) AS names
         FROM detection JOIN source_event USING (video_id) JOIN source ON source.id = source_id
         WHERE detection.id = ANY ($1) AND (source.options ->> 'writeBack')::boolean AND source.removed_at IS NULL
         GROUP BY source_event.id)
       UPDATE source_event SET write_names = coalesce(write_names, '{}') || names, write_at = now(), write_tries = 0
       FROM wanted WHERE source_event.id = wanted.id`,
      [detectionIds, name],
    );
    return (rowCount ?? 0) > 0;
  }

  /** Returns some recordings of a source with their events. */
  async listRecordings(
    sourceId: number,
    limit: number,
  ): Promise<{ readonly id: number; readonly videoId: number | null }[]> {
    const { rows } = await this.#pool.query<{ id: number; videoId: number | null }>(
      `SELECT source_event.id, video.id AS "videoId" FROM source_event
       LEFT JOIN video ON video.camera_id = source_event.camera_id AND video.video_path = source_event.video_path
       WHERE source_id = $1 ORDER BY source_event.id LIMIT $2`,
      [sourceId, limit],
    );
    return rows;
  }

  async deleteEvents(ids: readonly number[]): Promise<void> {
    await this.#pool.query('DELETE FROM source_event WHERE id = ANY ($1)', [ids]);
  }

  async deleteSource(sourceId: number): Promise<void> {
    await this.#pool.query('DELETE FROM source WHERE id = $1 AND removed_at IS NOT NULL', [sourceId]);
  }

  /** Counts the recordings of each source that wait for their file. */
  async countWaiting(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.#pool.query<{ id: number; count: number }>(
      `SELECT source_id AS id, count(*)::int AS count FROM source_event WHERE media = 'waiting' GROUP BY 1`,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  async countRecordings(sourceId: number): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM source_event JOIN video ON video.id = video_id WHERE source_id = $1`,
      [sourceId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Returns the skipped events, newest first. */
  async listDropped(sourceId: number): Promise<ListedDrop[]> {
    const { rows } = await this.#pool.query<ListedDrop>(
      `SELECT at, reason, said AS sentences, upstream_id AS "upstreamId" FROM source_dropped
       WHERE source_id = $1 ORDER BY id DESC LIMIT ${maxDropped}`,
      [sourceId],
    );
    return rows;
  }

  async #events(name: string, text: string, values: unknown[]): Promise<StoredEvent[]> {
    return (await this.#pool.query<StoredEvent>({ name, text, values })).rows;
  }
}

/** Stores skipped events; returns how many are new. */
async function saveDropped(
  client: pg.ClientBase,
  sourceId: number,
  dropped: readonly DroppedEvent[],
): Promise<number> {
  if (!dropped.length) return 0;
  const last = new Map(dropped.map((one) => [one.upstreamId, one]));
  const rows = [...last.values()].map(({ upstreamId, reason, at }) => ({
    upstreamId,
    reason: toEnglish(reason).slice(0, maxReasonLength),
    said: [reason],
    at: at ?? null,
  }));
  const { rows: stored } = await client.query<{ isNew: boolean }>({
    name: 'drop-source-events',
    text: dropSql,
    values: [sourceId, JSON.stringify(rows)],
  });
  await client.query({ name: 'prune-source-dropped', text: pruneSql, values: [sourceId] });
  return stored.filter(({ isNew }) => isNew).length;
}

/** Converts an event for later steps of its kind. */
export function toKnownEvent({ upstreamId, start, end, reference }: StoredEvent): KnownEvent {
  return { upstreamId, start, end, reference };
}
