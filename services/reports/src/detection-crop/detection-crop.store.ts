import type { FramedDetection } from '@birdhub/domain/media';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** A detection and the recording of its picture. */
export interface CropDetection extends FramedDetection {
  readonly id: number;
  readonly videoId: number;
  readonly videoPath: string;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged' | 'none';
  readonly speciesName: string;
  /** The taxon, if the species is an animal with a scientific name; else null. */
  readonly taxon: string | null;
  readonly confidence: number;
  readonly reviewed: boolean;
  /** The person or the model that identified it; null when unknown. */
  readonly classifiedBy: string | null;
  readonly source: 'video' | 'audio';
  readonly start: Date;
  readonly recordingStart: Date;
  /** Length of the recording in seconds. */
  readonly recordingSeconds: number;
  /** Whether its picture was measured. */
  readonly isMeasured: boolean;
}

const text = `
  SELECT detection.id, video.id AS "videoId", video_path AS "videoPath", media, species.name AS "speciesName", source,
    CASE WHEN NOT generic AND scientific_name <> '' AND scientific_name <> 'Homo sapiens' THEN scientific_name END AS taxon,
    confidence, reviewed, coalesce(nullif(detection_provider, ''), nullif(processor_version, '')) AS "classifiedBy",
    detection.start_time AS start, start_offset AS "startOffset", end_offset AS "endOffset",
    coalesce(frames, '[]') AS frames,
    video.start_time AS "recordingStart", date_part('epoch', video.end_time - video.start_time) AS "recordingSeconds",
    EXISTS (SELECT FROM detection_picture WHERE detection_id = detection.id) AS "isMeasured"
  FROM detection JOIN video ON video.id = video_id JOIN species ON species.id = species_id
    LEFT JOIN detection_track ON detection_id = detection.id
  WHERE detection.id = $1`;

/** @throws HubError detection_not_found */
export async function getCropDetection(pool: pg.Pool, id: number): Promise<CropDetection> {
  const { rows } = await pool.query<CropDetection>({ name: 'crop-detection', text, values: [id] });
  if (!rows[0]) throw new HubError('detection_not_found');
  return rows[0];
}
