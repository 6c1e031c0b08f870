import { mediaKindSql } from '@birdhub/domain/media';
import { countedSql, kinSql } from '@birdhub/domain/species';
import { queryRow } from '@birdhub/shared/db';
import { localDay, msSql, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Highlight } from './highlights.schema.js';
import { noteworthyReason, rarityOf, type SpeciesHistory } from './noteworthy.js';
import { type RankedCandidate, rankHighlights } from './rank-highlights.js';

/** A query for highlights. */
export interface HighlightsSearch {
  readonly window: TimeWindow;
  readonly limit: number;
  /** Only this species and its descendants; undefined for all. */
  readonly speciesId: number | undefined;
  readonly zone: string;
}

const maxFavorites = 100;
const hasFile = `video.media IN ('ready', 'pending')`;
/** Number of candidates of a species without a measured picture. */
const maxUnmeasured = 3;
/** Number of its newest visits that are searched for files. */
const maxSearchedVisits = 100;

/**
 * The candidates of a window: the best pictures of each species, the newest visits with files of species without measured
 * pictures, and favourites. Parameters: window start and end, its first and last day, maximum pictures per species, species
 * or null. Written so that the planner does not read all pictures or visits when it overestimates the number of species.
 */
export const candidatesSql = `
  WITH observed AS MATERIALIZED (
    SELECT DISTINCT species_id FROM visit_day JOIN species ON species.id = species_id
    WHERE day BETWEEN $3::date AND $4::date AND ${countedSql()}
      AND ($6::integer IS NULL OR species_id IN (${kinSql('$6')}))
  ), pictured AS MATERIALIZED (
    SELECT detection_id AS id, observed.species_id FROM observed CROSS JOIN LATERAL (
      SELECT detection_id FROM detection_picture picture
      WHERE picture.species_id = observed.species_id AND start_time >= $1 AND start_time < $2
      ORDER BY quality DESC LIMIT $5
    ) best
  ), unmeasured AS (
    SELECT newest.id FROM observed CROSS JOIN LATERAL (
      SELECT found.id FROM (
        SELECT id, start_time FROM species_visit visit
        WHERE visit.species_id = observed.species_id AND start_time >= $1 AND start_time < $2
        ORDER BY start_time DESC LIMIT ${maxSearchedVisits}
      ) visit CROSS JOIN LATERAL (
        SELECT detection.id FROM detection JOIN video ON video.id = video_id
        WHERE visit_id = visit.id AND ${hasFile}
        ORDER BY source = 'video' DESC, confidence DESC, detection.id LIMIT 1
      ) found
      ORDER BY visit.start_time DESC LIMIT ${maxUnmeasured}
    ) newest
    WHERE observed.species_id NOT IN (SELECT species_id FROM pictured)
  ), favorite AS (
    SELECT found.id FROM (
      SELECT id FROM video WHERE favorite AND start_time >= $1 AND start_time < $2 ORDER BY start_time DESC
      LIMIT ${maxFavorites}
    ) video CROSS JOIN LATERAL (
      SELECT id FROM detection WHERE video_id = video.id AND species_id IN (SELECT species_id FROM observed)
      ORDER BY source = 'video' DESC, confidence DESC, id LIMIT 1
    ) found
  )
  SELECT detection.id AS "detectionId", video_id AS "videoId", visit_id AS "visitId",
    detection.species_id AS "speciesId", ${msSql('detection.start_time')} AS start,
    source, confidence, reviewed AS "isReviewed", favorite AS "isFavorite", quality, sharpness, area, thumbhash,
    camera_id AS camera, visit.max_simultaneous AS "maxSimultaneous", ${mediaKindSql('video')} AS "mediaKind",
    coalesce(seconds, (start_offset + end_offset) / 2) AS seconds,
    start_offset AS "startOffset", end_offset AS "endOffset",
    date_part('epoch', video.end_time - video.start_time) AS "recordingSeconds",
    json_build_object('id', species.id, 'name', species.name, 'scientific_name', scientific_name,
      'image_url', image_url, 'parent_id', parent_id, 'group', species_group) AS species,
    coalesce(species_total.visits, 0)::float8 AS visits,
    (SELECT ${msSql('max(earlier.start_time)')} FROM species_visit earlier
      WHERE earlier.species_id = detection.species_id
        AND earlier.start_time < visit.start_time - interval '12 hours') AS "previousAt"
  FROM (SELECT id FROM pictured UNION SELECT id FROM unmeasured UNION SELECT id FROM favorite) chosen
    JOIN detection USING (id) JOIN video ON video.id = video_id JOIN species_visit visit ON visit.id = visit_id
    JOIN species ON species.id = detection.species_id
    LEFT JOIN detection_picture ON detection_id = detection.id
    LEFT JOIN species_total ON species_total.species_id = detection.species_id
  WHERE ${hasFile}`;

/** The number of all visits of the hub, and the start of its first day in UTC. */
const hubSql = `
  SELECT (SELECT coalesce(sum(visits), 0)::float8 FROM species_total) AS "hubVisits",
    (SELECT ${msSql('min(day)')} FROM visit_day) AS "hubSince"`;

interface HubRow extends Pick<SpeciesHistory, 'hubVisits' | 'hubSince'> {}

interface CandidateRow
  extends Omit<RankedCandidate, 'rarity' | 'reason' | 'day'>,
    Pick<SpeciesHistory, 'visits' | 'previousAt'> {
  /** In ms since the epoch. */
  readonly start: number;
  readonly sharpness: number | null;
  readonly area: number | null;
  readonly thumbhash: string | null;
  readonly camera: string;
  readonly maxSimultaneous: number;
  readonly mediaKind: Highlight['media_kind'];
  readonly seconds: number;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly recordingSeconds: number;
  readonly species: Highlight['species'];
}

async function readHubHistory(pool: pg.Pool): Promise<HubRow> {
  return queryRow<HubRow>(pool, { name: 'hub-history', text: hubSql });
}

/** Returns the best detections of a window, best first. */
export async function readHighlights(pool: pg.Pool, search: HighlightsSearch): Promise<Highlight[]> {
  const { window, limit, speciesId, zone } = search;
  const maxPictures = speciesId === undefined ? Math.max(4, Math.ceil(limit / 2)) : 3 * limit;
  const values = [
    new Date(window.start),
    new Date(window.end),
    localDay(zone, window.start),
    localDay(zone, window.end - 1),
    maxPictures,
    speciesId ?? null,
  ];
  // Unnamed, so that it is planned for the given window.
  const [{ rows }, hub] = await Promise.all([
    pool.query<CandidateRow>(candidatesSql, values),
    readHubHistory(pool),
  ]);
  const candidates = rows.map((row) => {
    const history = { ...hub, visits: row.visits, previousAt: row.previousAt };
    return {
      ...row,
      day: localDay(zone, row.start),
      rarity: rarityOf(history),
      reason: noteworthyReason(history, row.start, zone),
    };
  });
  return rankHighlights(candidates, limit).map(toHighlight);
}

const minSharpness = 0.6;
const minLargeArea = 0.1;

function toHighlight(row: CandidateRow & Pick<RankedCandidate, 'reason'>): Highlight {
  const { detectionId, videoId, start, source, mediaKind, sharpness, area, reason, isFavorite } = row;
  const isHeard = source === 'audio' && mediaKind !== null;
  const reasons: Highlight['reasons'] = [
    ...(reason ? [reason] : []),
    ...(isFavorite ? (['favorite'] as const) : []),
    ...(sharpness !== null && sharpness >= minSharpness ? (['sharp'] as const) : []),
    ...(area !== null && area >= minLargeArea ? (['large'] as const) : []),
  ];
  return {
    detection_id: detectionId,
    video_id: videoId,
    visit_id: row.visitId,
    start_time: new Date(start).toISOString(),
    seconds: row.seconds,
    species: row.species,
    media_kind: mediaKind,
    source,
    confidence: row.confidence,
    reviewed: row.isReviewed,
    favorite: isFavorite,
    camera: row.camera,
    max_simultaneous: row.maxSimultaneous,
    reasons,
    heard: isHeard
      ? {
          detection_id: detectionId,
          video_id: videoId,
          media_kind: mediaKind,
          from: row.startOffset,
          to: row.endOffset,
          recording_seconds: row.recordingSeconds,
        }
      : null,
    thumbhash: row.thumbhash,
  };
}

const countsSql = `
  SELECT to_char(day, 'YYYY-MM-DD') AS date, sum(visits)::integer AS visits, count(*)::integer AS species
  FROM visit_day JOIN species ON species.id = species_id
  WHERE day = ANY ($1::date[]) AND ${countedSql()} GROUP BY day ORDER BY day DESC`;

/** Visits and species of a day. */
export interface DayCounts {
  readonly date: string;
  readonly visits: number;
  readonly species: number;
}

/** Returns the counts of the given days that have visits, newest first. */
export async function readDayCounts(pool: pg.Pool, days: readonly string[]): Promise<DayCounts[]> {
  const { rows } = await pool.query<DayCounts>({ name: 'day-counts', text: countsSql, values: [days] });
  return rows;
}
