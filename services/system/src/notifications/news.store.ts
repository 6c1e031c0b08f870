import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';

/** A visit as people are told of it, with the recording that it began in. */
export interface VisitNews {
  readonly speciesName: string;
  /** ms since the epoch */
  readonly start: number;
  readonly end: number;
  readonly imageUrl: string | null;
  /** The detection whose crop shows the bird; null while there is no file to cut it from. */
  readonly detectionId: number | null;
}

const visitSql = `
  SELECT name, visit.start_time, visit.end_time, image_url, (
    SELECT detection.id FROM detection JOIN video ON video.id = video_id
    WHERE visit_id = visit.id AND source = 'video' AND media = 'ready' ORDER BY confidence DESC, detection.id LIMIT 1
  ) AS detection_id
  FROM species_visit visit JOIN species ON species.id = species_id WHERE visit.id = $1`;

interface VisitRow {
  readonly name: string;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly image_url: string | null;
  readonly detection_id: number | null;
}

/** The visit as it is now; undefined when it is gone. */
export async function findVisitNews(pool: pg.Pool, visitId: number): Promise<VisitNews | undefined> {
  const { rows } = await pool.query<VisitRow>({ name: 'visit-news', text: visitSql, values: [visitId] });
  const [row] = rows;
  if (!row) return undefined;
  const { name, start_time, end_time, image_url, detection_id } = row;
  return {
    speciesName: name,
    start: start_time.getTime(),
    end: end_time.getTime(),
    imageUrl: image_url,
    detectionId: detection_id,
  };
}

/** The picture of a species, by its id. */
export async function findSpeciesPicture(prisma: PrismaClient, speciesId: number): Promise<string | null> {
  const select = { imageUrl: true };
  return (await prisma.species.findUnique({ where: { id: speciesId }, select }))?.imageUrl ?? null;
}

/** The picture that a processor sent with an announcement, while that is kept. */
export async function findNoticePicture(
  prisma: PrismaClient,
  noticeId: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const select = { image: true };
  return (
    (await prisma.detectionNotice.findUnique({ where: { id: Number(noticeId) }, select }))?.image ?? undefined
  );
}
