import { mediaKindSql } from '@birdhub/domain/media';
import { countedSql } from '@birdhub/domain/species';
import { visitsStartingIn } from '@birdhub/domain/timeline';
import { queryRow } from '@birdhub/shared/db';
import { localHourSql, readZoneClock, type TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { PlacedTrack } from './camera-places.js';
import type { CameraActivity } from './cameras.schema.js';

/** The camera and window of a query. */
export interface CameraSearch {
  readonly cameraId: string;
  readonly window: TimeWindow;
}

const maxSpecies = 12;

/** Parameters: window start and end, camera, starts and offsets of the zone clock. */
const activitySql = `
  WITH visit AS MATERIALIZED (
    SELECT visit.species_id, ${localHourSql('visit.start_time', '$4', '$5')} AS hour
    FROM (${visitsStartingIn(['camera_id'], 3)}) visit JOIN species ON species.id = visit.species_id AND ${countedSql()}
  )
  SELECT (SELECT count(*)::int FROM visit) AS visits,
    (SELECT count(DISTINCT species_id)::int FROM visit) AS species,
    (SELECT coalesce(json_agg(json_build_array(hour, visits)), '[]') FROM (
      SELECT hour, count(*)::int AS visits FROM visit GROUP BY hour) counted) AS hours,
    (SELECT coalesce(json_agg(kind ORDER BY visits DESC, name, id), '[]') FROM (
      SELECT id, name, scientific_name, image_url, visits FROM (
        SELECT species_id, count(*)::int AS visits FROM visit GROUP BY species_id
      ) counted JOIN species ON id = species_id ORDER BY visits DESC, name, id LIMIT ${maxSpecies}
    ) kind) AS "topSpecies"`;

interface ActivityRow {
  readonly visits: number;
  readonly species: number;
  readonly hours: readonly (readonly [number, number])[];
  readonly topSpecies: CameraActivity['top_species'];
}

/** Counts the visits recorded by a camera, by local hour and by species. */
export async function readCameraActivity(
  pool: pg.Pool,
  { cameraId, window }: CameraSearch,
  zone: string,
): Promise<CameraActivity> {
  const { starts, offsets } = readZoneClock(zone, window);
  const values = [new Date(window.start), new Date(window.end), cameraId, starts, offsets];
  // Unnamed, so that it is planned for the given window.
  const row = await queryRow<ActivityRow>(pool, { text: activitySql, values });
  const hours = new Array<number>(24).fill(0);
  for (const [hour, visits] of row.hours) hours[hour] = visits;
  return { visits: row.visits, species: row.species, hours, top_species: [...row.topSpecies] };
}

const maxRecordings = 4_000;
/** Maximum number of birds whose boxes are read. */
export const maxTracks = 1_000;
const maxBoxes = 24;

/** Evenly sampled boxes of the newest birds. Parameters: window start and end, camera. */
const tracksSql = `
  SELECT detection.id AS "detectionId", video_id AS "videoId", species.id AS "speciesId", species.name AS "speciesName",
    detection.start_time AS start, start_offset AS seconds, (
      SELECT json_agg(frame -> 'bbox' ORDER BY number) FROM json_array_elements(frames) WITH ORDINALITY box (frame, number)
      WHERE (number - 1) % greatest(1, ceil(json_array_length(frames) / ${maxBoxes}.0)::int) = 0
    ) AS boxes
  FROM (
    SELECT id, start_time AS recorded_at FROM video
    WHERE camera_id = $3 AND camera_id <> '' AND start_time >= $1 AND start_time < $2 AND detection_count > 0
    ORDER BY start_time DESC LIMIT ${maxRecordings}
  ) recording JOIN detection ON video_id = recording.id JOIN detection_track ON detection_id = detection.id
    JOIN species ON species.id = species_id AND species_group <> 'noise'
  ORDER BY recorded_at DESC, detection.id DESC LIMIT ${maxTracks}`;

/** Returns the positions of the newest birds in the picture of a camera, newest first. */
export async function readTracks(
  pool: pg.Pool,
  { cameraId, window }: CameraSearch,
): Promise<readonly PlacedTrack[]> {
  const values = [new Date(window.start), new Date(window.end), cameraId];
  const { rows } = await pool.query<PlacedTrack>(tracksSql, values);
  return rows;
}

const newestVideoSql = `
  SELECT id FROM video WHERE camera_id = $1 AND camera_id <> '' AND media = 'ready' AND ${mediaKindSql('video')} = 'video'
    AND start_time >= $2 AND start_time < $3 ORDER BY start_time DESC LIMIT 1`;

/** Returns the newest recording of a camera with a file. */
export async function findNewestVideo(
  pool: pg.Pool,
  { cameraId, window }: CameraSearch,
): Promise<number | undefined> {
  const values = [cameraId, new Date(window.start), new Date(window.end)];
  const { rows } = await pool.query<{ id: number }>(newestVideoSql, values);
  return rows[0]?.id;
}

/** Returns whether a camera has recordings. */
export async function hasCameraRecordings(pool: pg.Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'camera-seen',
    text: `SELECT FROM camera WHERE id = $1 AND id <> ''`,
    values: [id],
  });
  return rowCount === 1;
}
