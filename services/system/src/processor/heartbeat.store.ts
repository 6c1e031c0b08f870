import type pg from 'pg';

/** The newest heartbeat; what the processor says in it may be anything. */
export interface Heartbeat {
  /** When it came, ms since the epoch. */
  readonly at: number;
  readonly mqttConnected: unknown;
  readonly lastYoloOkAt: unknown;
  readonly lastVideoOkAt: unknown;
}

const text = `
  SELECT updated_at, data -> 'mqtt_connected' AS mqtt_connected, data -> 'last_yolo_ok_at' AS last_yolo_ok_at,
    data -> 'last_video_ok_at' AS last_video_ok_at
  FROM activity_log WHERE type = 'heartbeat' ORDER BY updated_at DESC LIMIT 1`;

interface Row {
  readonly updated_at: Date;
  readonly mqtt_connected: unknown;
  readonly last_yolo_ok_at: unknown;
  readonly last_video_ok_at: unknown;
}

/** Undefined when no processor ever reported. */
export async function findHeartbeat(pool: pg.Pool): Promise<Heartbeat | undefined> {
  const { rows } = await pool.query<Row>({ name: 'newest-heartbeat', text });
  const [row] = rows;
  return (
    row && {
      at: row.updated_at.getTime(),
      mqttConnected: row.mqtt_connected,
      lastYoloOkAt: row.last_yolo_ok_at,
      lastVideoOkAt: row.last_video_ok_at,
    }
  );
}
