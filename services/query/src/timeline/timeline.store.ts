import { mediaKindSql } from '@birdhub/domain/media';
import {
  type BoundFilters,
  type TimelineFilter,
  unlinkedOfWindow,
  visitsOfWindow,
} from '@birdhub/domain/timeline';
import { msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import type { Place } from './timeline-cursor.js';

/** A query of the timeline. */
export interface TimelineSearch {
  readonly window: TimeWindow;
  readonly filters: BoundFilters;
  readonly limit: number | undefined;
  /** The last item of the previous page. */
  readonly after: Place | undefined;
}

/** Reads a page of the timeline with one statement; a large one needs a second. @throws HubError busy */
export async function readTimeline(
  pool: pg.Pool,
  search: TimelineSearch,
  budget: ResponseBudget,
): Promise<TimelinePage> {
  const { window, filters, limit, after } = search;
  // Items that start at the same time as the last of the previous page are distinguished by their number.
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
  // Unnamed, so that it is planned for the given window: a generic plan takes minutes for a window with most visits.
  const text = timelineSql(filters.names);
  return readTimelinePage(pool, (maxBytes) => ({ text, values: valuesFor(maxBytes) }), budget);
}

const mediaKind = mediaKindSql('video');

/** Number of parameters before those of the filters. */
const fixedParameters = 6;

/** Front ends show a species for all items, so an unlinked recording has the generic bird. */
const candidates = (filters: readonly TimelineFilter[]) => `
    SELECT ${itemColumns}
    FROM (${visitsOfWindow(filters, fixedParameters + 1)}) visit
    UNION ALL
    SELECT -id, start_time, end_time, (SELECT species_id FROM species_alias WHERE key = 'bird'), 0, 0
    FROM (${unlinkedOfWindow(filters, fixedParameters + 1)}) video`;

/**
 * Returns the statement for a set of filters. Parameters: window start and end, position of the last previous item
 * (start, id; or null), limit (or null), maximum bytes, filters.
 */
export const timelineSql = (filters: readonly TimelineFilter[]): string =>
  timelineItemsSql(
    `
    SELECT * FROM (${candidates(filters)}) found
    WHERE $3::timestamptz IS NULL OR (start_time, id) < ($3, $4::bigint)`,
    '$5',
    '$6',
  );

/** A page of the timeline. */
export interface TimelinePage {
  /** A JSON array of items, newest first. */
  readonly body: Buffer;
  /** The last item, if there are more. */
  readonly last: Place | undefined;
  /** From the start of the earliest item to the end of the latest, in ms; undefined when there is none. */
  readonly span: { readonly from: number; readonly to: number } | undefined;
}

/** The extent of a page; instants in ms since the epoch, null when it is empty. */
interface PagePlace {
  readonly hasMore: boolean;
  readonly lastId: number | null;
  readonly earliest: number | null;
  readonly latest: number | null;
  /** Approximate size in bytes. */
  readonly bytes: number;
}

/** Returns a statement of `timelineItemsSql` for pages of at most `maxBytes`. */
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

/** Reads the page, or only its extent when it exceeds the limit. */
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

/** Reads a page of items; a large one requires budget. @throws HubError busy */
export async function readTimelinePage(
  pool: pg.Pool,
  statement: PageStatement,
  budget: ResponseBudget,
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

/** The columns of items in {@link timelineItemsSql}; recordings have their negated id. */
export const itemColumns = 'id, start_time, end_time, species_id, max_simultaneous, detection_count';

/** Maximum number of items of a response, also without a limit; see {@link maxDetections}. */
export const maxItems = 20_000;
/** Maximum number of detections of a response, except those of its last item. */
export const maxDetections = 200_000;

/** Typical JSON sizes in bytes. */
const bytesOfItem = 660;
const bytesOfDetection = 225;
/** Items per row, as a single text of the entire response would take several times its size while it is received. */
const itemsOfPart = 500;

/**
 * Returns a statement that creates the JSON of timeline items in PostgreSQL, which is several times faster than in
 * Node. `candidates` is a query with the {@link itemColumns}, of which the newest form a page. `limit` is the parameter
 * of their number, null for the maximum, and `maxBytes` that of the size: of a page that is likely to be larger only
 * the extent is read. The first row has the extent, the others contain comma-separated items in order.
 */
export const timelineItemsSql = (candidates: string, limit: string, maxBytes: string): string => `
  WITH candidate AS MATERIALIZED (${candidates}
  ), newest AS (
    SELECT * FROM candidate ORDER BY start_time DESC, id DESC LIMIT least(${limit}, ${maxItems})
  ), counted AS (
    SELECT *, row_number() OVER latest_first AS number,
      sum(detection_count) OVER latest_first - detection_count AS detections_before
    FROM newest WINDOW latest_first AS (ORDER BY start_time DESC, id DESC ROWS UNBOUNDED PRECEDING)
  ), page AS MATERIALIZED (
    SELECT * FROM counted WHERE detections_before < ${maxDetections}
  ), size AS MATERIALIZED (
    SELECT ${bytesOfItem} * count(*) + ${bytesOfDetection} * coalesce(sum(detection_count), 0) AS bytes FROM page
  ), wanted AS MATERIALIZED (
    SELECT page.* FROM page WHERE (SELECT bytes FROM size) <= ${maxBytes}
  ), seen AS MATERIALIZED (
    SELECT visit_id AS item_id, detection.id, video_id, detection.start_time, detection.end_time, confidence, source,
      detection_provider, reviewed
    FROM wanted JOIN detection ON visit_id = wanted.id
  ), listed AS MATERIALIZED (
    SELECT item_id, json_agg((SELECT line FROM (SELECT id, video_id, start_time, end_time, confidence, source,
      detection_provider, reviewed) line) ORDER BY start_time DESC, id DESC) AS detections
    FROM seen GROUP BY item_id
  ), recording AS MATERIALIZED (
    SELECT item_id, video.id AS video_id, start_time, end_time, camera_id, weather_id, ${mediaKind} AS media_kind
    FROM (SELECT DISTINCT item_id, video_id FROM seen UNION ALL SELECT id, -id FROM wanted WHERE id < 0) link
    JOIN video ON video.id = video_id
  ), top AS MATERIALIZED (
    SELECT DISTINCT ON (item_id) item_id, id, video_id, source, start_time FROM seen
    ORDER BY item_id, source = 'video' DESC, confidence DESC, start_time DESC, id DESC
  ), best AS (
    SELECT item_id, json_build_object('detection_id', top.id, 'video_id', video_id, 'source', source,
      'media_kind', media_kind, 'seconds', coalesce(detection_picture.seconds,
        date_part('epoch', top.start_time - recording.start_time))) AS best,
      CASE WHEN source = 'video' THEN thumbhash END AS thumbhash
    FROM top JOIN recording USING (item_id, video_id) LEFT JOIN detection_picture ON detection_id = top.id
  ), sound AS (
    SELECT DISTINCT ON (item_id) item_id, json_build_object('detection_id', seen.id, 'video_id', video_id,
      'media_kind', media_kind,
      'from', date_part('epoch', seen.start_time - recording.start_time),
      'to', date_part('epoch', seen.end_time - recording.start_time),
      'recording_seconds', date_part('epoch', recording.end_time - recording.start_time)) AS heard
    FROM seen JOIN recording USING (item_id, video_id)
    WHERE item_id IN (SELECT item_id FROM top WHERE source <> 'video') AND media_kind IN ('video', 'audio')
    ORDER BY item_id, confidence DESC, seen.id
  ), recorded AS (
    SELECT item_id, count(*) AS recordings, date_part('epoch', sum(end_time - start_time)) AS seconds,
      max(media_kind) AS media_kind,
      coalesce(json_agg(DISTINCT camera_id) FILTER (WHERE camera_id <> ''), '[]') AS cameras,
      (array_agg(weather_id ORDER BY start_time, video_id))[1] AS weather_id
    FROM recording GROUP BY item_id
  ), kind AS MATERIALIZED (
    SELECT id AS species_id, row_to_json(kind) AS species FROM (
      SELECT id, name, scientific_name, image_url, parent_id, species_group AS "group" FROM species
      WHERE id IN (SELECT species_id FROM wanted)
    ) kind
  ), air AS MATERIALIZED (
    SELECT id AS weather_id, json_build_object('temp', temp, 'clouds', clouds) AS weather
    FROM weather_snapshot WHERE id IN (SELECT weather_id FROM recorded)
  ), part AS (
    SELECT (number - 1) / ${itemsOfPart} AS part, string_agg((SELECT row_to_json(item)::text FROM (SELECT
        wanted.id, CASE WHEN wanted.id > 0 THEN 'visit' ELSE 'unlinked_video' END AS timeline_kind,
        wanted.start_time, wanted.end_time, max_simultaneous, seconds AS total_recording_seconds,
        CASE WHEN recordings = 1 THEN seconds END AS video_duration_seconds, weather, species, media_kind, cameras,
        best, heard, thumbhash, coalesce(detections, '[]') AS detections
      ) item), ',' ORDER BY number) AS text
    FROM wanted JOIN recorded ON recorded.item_id = wanted.id
      LEFT JOIN listed ON listed.item_id = wanted.id LEFT JOIN sound ON sound.item_id = wanted.id
      LEFT JOIN best ON best.item_id = wanted.id
      LEFT JOIN kind USING (species_id) LEFT JOIN air USING (weather_id)
    GROUP BY 1
  )
  SELECT -1 AS part, (SELECT json_build_object(
      'hasMore', (SELECT count(*) FROM candidate) > count(*),
      'lastId', (array_agg(id ORDER BY number DESC))[1],
      'earliest', ${msSql('min(start_time)')},
      'latest', ${msSql('max(end_time)')},
      'bytes', (SELECT bytes FROM size)) FROM page)::text AS text
  UNION ALL SELECT part, text FROM part ORDER BY part`;
