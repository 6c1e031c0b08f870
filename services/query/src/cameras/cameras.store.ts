import type pg from 'pg';

/** A camera that made recordings. */
export interface SeenCamera {
  readonly id: string;
  readonly recordings: number;
  readonly lastRecordingAt: Date | null;
}

const text = `
  SELECT camera.id, last.start_time AS "lastRecordingAt",
    (SELECT coalesce(sum(value), 0)::bigint FROM hub_counter WHERE name = 'camera:' || camera.id) AS recordings
  FROM camera LEFT JOIN LATERAL (
    SELECT start_time FROM video WHERE camera_id = camera.id AND camera_id <> '' ORDER BY start_time DESC LIMIT 1
  ) last ON true
  ORDER BY camera.id`;

/** The cameras of all recordings, by id. */
export async function listSeenCameras(pool: pg.Pool): Promise<readonly SeenCamera[]> {
  const { rows } = await pool.query<SeenCamera>({ name: 'cameras', text });
  return rows;
}
