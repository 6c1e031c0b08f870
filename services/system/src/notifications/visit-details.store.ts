import { isOfDemoSql } from '@birdhub/domain/recordings';
import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { CorrectedVisit } from './message.js';

/** The details of a visit for rules and messages. */
export interface VisitDetails {
  readonly speciesId: number;
  readonly speciesName: string;
  readonly scientificName: string | null;
  /** ms since the epoch */
  readonly start: number;
  readonly end: number;
  /** Number of simultaneous birds. */
  readonly count: number;
  readonly imageUrl: string | null;
  /**
   * The detection for the picture: the best video detection, or for an audio-only visit the best audio detection. Null
   * without a file.
   */
  readonly detectionId: number | null;
  /** Camera of its first recording; null when that was deleted or has none. */
  readonly cameraId: string | null;
  /** The source of the recording. */
  readonly sourceId: number | null;
  readonly sourceName: string | null;
  /** Confidence of the best detection of the visit so far. */
  readonly confidence: number | null;
  /** Whether its first recording was added by the demo. */
  readonly isOfDemo: boolean;
}

const visitSql = `
  SELECT species_id AS "speciesId", name AS "speciesName", scientific_name AS "scientificName", visit.start_time AS start,
    visit.end_time AS end, max_simultaneous AS count, image_url AS "imageUrl", (
      SELECT detection.id FROM detection JOIN video ON video.id = video_id
      WHERE visit_id = visit.id AND media = 'ready'
      ORDER BY source = 'video' DESC, confidence DESC, detection.id LIMIT 1
    ) AS "detectionId", (SELECT nullif(camera_id, '') FROM video WHERE id = $2) AS "cameraId",
    (SELECT max(confidence) FROM detection WHERE visit_id = visit.id) AS confidence,
    origin."sourceId", origin."sourceName", ${isOfDemoSql('$2')} AS "isOfDemo"
  FROM species_visit visit JOIN species ON species.id = species_id
  LEFT JOIN LATERAL (
    SELECT source.id AS "sourceId", source.name AS "sourceName" FROM source_event JOIN source ON source.id = source_id
    WHERE video_id = $2 LIMIT 1
  ) origin ON true
  WHERE visit.id = $1`;

type VisitRow = Omit<VisitDetails, 'start' | 'end'> & { readonly start: Date; readonly end: Date };

/** Returns a visit and its first recording; undefined when the visit was deleted. */
export async function findVisitDetails(
  pool: Pick<pg.ClientBase, 'query'>,
  visitId: number,
  videoId: number,
): Promise<VisitDetails | undefined> {
  const query = { name: 'notification-visit', text: visitSql, values: [visitId, videoId] };
  const [row] = (await pool.query<VisitRow>(query)).rows;
  return row && { ...row, start: row.start.getTime(), end: row.end.getTime() };
}

const correctedSql = `
  SELECT name AS "speciesName", visit_id AS "visitId", video_id AS "videoId", detection.id AS "detectionId"
  FROM species LEFT JOIN detection ON detection.species_id = species.id AND detection.id = ANY ($2)
  WHERE species.id = $1 ORDER BY confidence DESC NULLS LAST, detection.id LIMIT 1`;

/** Returns the visit and the best detection of a correction to a species; undefined without that species. */
export async function findCorrected(
  pool: pg.Pool,
  speciesId: number,
  detectionIds: readonly number[],
): Promise<CorrectedVisit | undefined> {
  return (await pool.query<CorrectedVisit>(correctedSql, [speciesId, detectionIds])).rows[0];
}

/** Returns the URL of a species' picture. */
export async function findSpeciesPicture(prisma: PrismaClient, speciesId: number): Promise<string | null> {
  const select = { imageUrl: true };
  return (await prisma.species.findUnique({ where: { id: speciesId }, select }))?.imageUrl ?? null;
}
