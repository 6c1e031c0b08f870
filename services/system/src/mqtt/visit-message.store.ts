import type pg from 'pg';

/** A visit as it is published. */
export interface VisitMessage {
  readonly visit_id: number;
  readonly species: string;
  readonly scientific_name: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly video_id: number;
  readonly camera_id: string | null;
  readonly max_simultaneous: number;
}

const text = `
  SELECT json_build_object('visit_id', visit.id, 'species', name, 'scientific_name', scientific_name,
    'start_time', visit.start_time, 'end_time', visit.end_time, 'video_id', video.id,
    'camera_id', nullif(camera_id, ''), 'max_simultaneous', max_simultaneous) AS message
  FROM species_visit visit JOIN species ON species.id = species_id JOIN video ON video.id = $2
  WHERE visit.id = $1`;

/** The visit as it is now, with the recording that began it; undefined when either is gone. */
export async function findVisitMessage(
  pool: pg.Pool,
  visitId: number,
  videoId: number,
): Promise<VisitMessage | undefined> {
  const { rows } = await pool.query<{ message: VisitMessage }>({
    name: 'visit-message',
    text,
    values: [visitId, videoId],
  });
  return rows[0]?.message;
}
