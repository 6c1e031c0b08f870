import { type FramedDetection, isAudioSql } from '@birdhub/domain/media';
import { type BoundFilters, visitsStartingIn } from '@birdhub/domain/timeline';
import { queryRow } from '@birdhub/shared/db';
import type pg from 'pg';
import { standardRanks } from './camtrap-dp.js';
import { kindSql, lifeStageSql, sexSql } from './classification.js';
import type { ScienceSearch } from './science.store.js';

/** The filter of an export for a portal: visits that start in a window and pass filters. */
export type PortalSearch = Omit<ScienceSearch, 'mediaBase'>;

/** A species of a day: its certain visits, and the best detection. */
export interface DaySpecies extends FramedDetection {
  readonly name: string;
  readonly taxon: string;
  /** Maximum number of simultaneous birds. */
  readonly birds: number;
  readonly visits: number;
  readonly detectionId: number;
  readonly videoId: number;
  readonly videoPath: string;
  readonly start: Date;
  readonly confidence: number;
  readonly reviewed: boolean;
  readonly isHeard: boolean;
  readonly hasPicture: boolean;
  readonly sex: string | null;
  readonly lifeStage: string | null;
  readonly classifiedBy: string | null;
}

const pictureSql = `(detection.source = 'video' AND video.media = 'ready' AND NOT ${isAudioSql('video_path')})`;
const firstFilter = 5;

/**
 * SQL: the certain detections of animals with a scientific name, of visits that start from $1 to before $2; camera $3,
 * doubt threshold $4.
 */
const certainSql = (filters: BoundFilters['names']) => `${kindSql},
  found AS MATERIALIZED (SELECT * FROM (${visitsStartingIn(filters, firstFilter)}) visit),
  certain AS (
    SELECT found.id AS visit_id, found.species_id, found.start_time AS visit_start, found.max_simultaneous, kind.name, kind.taxon,
      detection.id AS detection_id, detection.video_id, video.video_path, detection.start_time, detection.start_offset,
      detection.end_offset, detection.confidence, detection.reviewed, detection.source, detection.plumage,
      coalesce(nullif(detection.detection_provider, ''), nullif(video.processor_version, '')) AS classified_by,
      ${pictureSql} AS has_picture
    FROM found JOIN kind USING (species_id) JOIN detection ON detection.visit_id = found.id JOIN video ON video.id = detection.video_id
    WHERE kind.type = 'animal' AND kind.rank IN (${standardRanks
      .filter((rank) => !['class', 'kingdom'].includes(rank))
      .map((rank) => `'${rank}'`)
      .join(', ')})
      AND (detection.reviewed OR detection.confidence >= $4::float8) AND ($3::text IS NULL OR video.camera_id = $3))`;

const daySql = (filters: BoundFilters['names']) => `
  WITH ${certainSql(filters)},
  tally AS (
    SELECT species_id, max(max_simultaneous)::int AS birds, count(DISTINCT visit_id)::int AS visits FROM certain GROUP BY species_id),
  best AS (
    SELECT DISTINCT ON (species_id) certain.* FROM certain LEFT JOIN detection_picture picture USING (detection_id)
    ORDER BY species_id, has_picture DESC, certain.reviewed DESC, coalesce(picture.quality, 0) DESC, certain.confidence DESC, detection_id)
  SELECT name, taxon, birds, visits, best.detection_id AS "detectionId", video_id AS "videoId", video_path AS "videoPath",
    start_time AS start, start_offset AS "startOffset", end_offset AS "endOffset", confidence, reviewed,
    source = 'audio' AS "isHeard", has_picture AS "hasPicture", ${sexSql('plumage')} AS sex, ${lifeStageSql('plumage')} AS "lifeStage",
    classified_by AS "classifiedBy", coalesce(frames, '[]') AS frames
  FROM best JOIN tally USING (species_id) LEFT JOIN detection_track USING (detection_id) ORDER BY start_time, best.detection_id`;

/** Reads the species of each local day of a window; a visit counts for the day of its start. */
export async function* readDays(
  pool: pg.Pool,
  { days, filters, cameraId, doubtBelow }: PortalSearch,
  signal: AbortSignal,
): AsyncGenerator<DaySpecies> {
  for (const { start, end } of days) {
    signal.throwIfAborted();
    const values = [new Date(start), new Date(end), cameraId ?? null, doubtBelow];
    const { rows } = await pool.query<DaySpecies>(daySql(filters.names), [...values, ...filters.values]);
    yield* rows;
  }
}

/** Numbers of species per day in the archives for portals. */
export interface PortalCounts {
  /** Those with a picture, as required by iNaturalist. */
  readonly withPicture: number;
  readonly observations: number;
}

/** Counts the content of the archives for portals; pictures of a damaged file count too. */
export async function countForPortals(
  client: pg.ClientBase,
  { window, days, filters, cameraId, doubtBelow }: PortalSearch,
): Promise<PortalCounts> {
  const dayStarts = `$${firstFilter + filters.values.length}`;
  return queryRow<PortalCounts>(client, {
    text: `WITH ${certainSql(filters.names)},
     day AS (
       SELECT species_id, width_bucket(visit_start, ${dayStarts}::timestamptz[]) AS day, bool_or(has_picture) AS has_picture
       FROM certain GROUP BY 1, 2)
     SELECT count(*)::int AS observations, (count(*) FILTER (WHERE has_picture))::int AS "withPicture" FROM day`,
    values: [
      new Date(window.start),
      new Date(window.end),
      cameraId ?? null,
      doubtBelow,
      ...filters.values,
      days.map((day) => new Date(day.start)),
    ],
  });
}
