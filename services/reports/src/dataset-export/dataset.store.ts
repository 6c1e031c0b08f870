import { isAudioSql } from '@birdhub/domain/media';
import { type Frame, maxReachSql } from '@birdhub/domain/recordings';
import type pg from 'pg';
import { readSnapshot } from '../read-snapshot.js';

/** The filter of the detections of a data set; instants in ms since the epoch. */
export interface DatasetSearch {
  readonly start: number;
  readonly end: number;
  readonly minConfidence: number;
  readonly onlyReviewed: boolean;
}

/** Numbers of matching detections of a species; audio ones are counted separately. */
export interface SpeciesCount {
  readonly speciesId: number;
  readonly speciesName: string;
  readonly scientificName: string | null;
  readonly isGeneric: boolean;
  readonly audio: number;
  readonly withBox: number;
  readonly withoutBox: number;
}

/** A detection with boxes. */
export interface DatasetDetection {
  readonly id: number;
  readonly speciesId: number;
  readonly visitId: number;
  readonly trackId: string | null;
  readonly confidence: number;
  readonly reviewed: boolean;
  readonly startOffset: number;
  readonly endOffset: number;
  readonly frames: readonly Frame[];
}

/** A recording with at least one matching detection. */
export interface DatasetRecording {
  readonly videoId: number;
  readonly videoPath: string;
  readonly media: string;
  readonly start: Date;
  readonly detections: readonly DatasetDetection[];
}

/** Parameters $1 to $4. */
const isWanted = `
  detection.start_time >= $1 AND detection.start_time < $2 AND confidence >= $3 AND (reviewed OR NOT $4)`;

/** SQL: recordings that may have matching detections, by their indexed start. */
const mayHaveWanted = `
  video.start_time >= $1::timestamptz - ${maxReachSql} AND video.start_time < $2`;

/** SQL: whether a detection is visible, which excludes audio detections and audio recordings. */
const isSeen = `(source = 'video' AND NOT ${isAudioSql('video_path')})`;

const valuesOf = ({ start, end, minConfidence, onlyReviewed }: DatasetSearch) => [
  new Date(start),
  new Date(end),
  minConfidence,
  onlyReviewed,
];

const countSql = `
  SELECT species.id AS "speciesId", name AS "speciesName", scientific_name AS "scientificName",
    generic AS "isGeneric", audio, video - boxed AS "withoutBox", boxed AS "withBox"
  FROM (
    SELECT species_id, count(*) FILTER (WHERE NOT ${isSeen}) AS audio, count(*) FILTER (WHERE ${isSeen}) AS video,
      count(detection_track.detection_id) FILTER (WHERE ${isSeen}) AS boxed
    FROM video JOIN detection ON video_id = video.id LEFT JOIN detection_track ON detection_id = detection.id
    WHERE ${mayHaveWanted} AND ${isWanted} GROUP BY species_id
  ) found JOIN species ON species.id = species_id ORDER BY name, species.id`;

/** Counts the detections of a data set by species, sorted by name. */
export async function countSpecies(pool: pg.Pool, search: DatasetSearch): Promise<SpeciesCount[]> {
  return (await pool.query<SpeciesCount>(countSql, valuesOf(search))).rows;
}

const sliceRecordings = 50;

/** The last parameters are the end position of the previous slice. */
const sliceSql = `
  WITH recording AS MATERIALIZED (
    SELECT id, start_time, video_path, media FROM video
    WHERE (start_time, id) > ($6::timestamptz, $7::bigint) AND ${mayHaveWanted} AND detection_count > 0
    ORDER BY start_time, id LIMIT ${sliceRecordings}
  )
  SELECT recording.id AS "videoId", start_time AS start, video_path AS "videoPath", media,
    coalesce(detections, '[]') AS detections
  FROM recording LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', id, 'speciesId', species_id, 'visitId', visit_id, 'trackId', track_id,
      'confidence', confidence, 'reviewed', reviewed, 'startOffset', start_offset, 'endOffset', end_offset,
      'frames', frames) ORDER BY id) AS detections
    FROM detection JOIN detection_track ON detection_id = id
    WHERE video_id = recording.id AND ${isSeen} AND species_id = ANY ($5) AND ${isWanted}
  ) wanted ON true ORDER BY start_time, recording.id`;

/** Reads the recordings of a data set in order of time from one snapshot; reads the next slice ahead. */
export function readRecordings(
  pool: pg.Pool,
  search: DatasetSearch,
  speciesIds: readonly number[],
): AsyncGenerator<DatasetRecording> {
  const values = [...valuesOf(search), speciesIds];
  return readSnapshot(pool, async function* (client) {
    const readAfter = (start: Date, videoId: number) => {
      const slice = client.query<DatasetRecording>(sliceSql, [...values, start, videoId]);
      // Prevents an unhandled rejection before it is awaited.
      void Promise.allSettled([slice]);
      return slice;
    };
    let slice = readAfter(new Date(0), 0);
    for (;;) {
      const { rows } = await slice;
      const last = rows.at(-1);
      if (!last) return;
      slice = readAfter(last.start, last.videoId);
      for (const recording of rows) if (recording.detections.length) yield recording;
    }
  });
}
