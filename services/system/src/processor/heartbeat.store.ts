import type pg from 'pg';

/** The newest heartbeat; what the processor says in it may be anything. */
export interface Heartbeat {
  /** When it came, ms since the epoch. */
  readonly at: number;
  readonly mqttConnected: unknown;
  readonly lastYoloOkAt: unknown;
  readonly lastVideoOkAt: unknown;
}

/** What the hub knows of its processors. */
export interface ProcessorState {
  /** Undefined when none ever reported. */
  readonly heartbeat: Heartbeat | undefined;
  /** Whether one was asked to restart and has not done so. */
  readonly isRestartPending: boolean;
}

const text = `
  SELECT beat.*, EXISTS (
    SELECT FROM processor_command WHERE type = 'restart' AND acked_at IS NULL AND expires_at > now()
  ) AS restart_pending
  FROM (VALUES (1)) hub LEFT JOIN (
    SELECT updated_at, data -> 'mqtt_connected' AS mqtt_connected, data -> 'last_yolo_ok_at' AS last_yolo_ok_at,
      data -> 'last_video_ok_at' AS last_video_ok_at
    FROM processor_heartbeat ORDER BY updated_at DESC LIMIT 1
  ) beat ON true`;

interface Row {
  readonly updated_at: Date | null;
  readonly mqtt_connected: unknown;
  readonly last_yolo_ok_at: unknown;
  readonly last_video_ok_at: unknown;
  readonly restart_pending: boolean;
}

function toHeartbeat(row: Row): Heartbeat | undefined {
  if (!row.updated_at) return undefined;
  return {
    at: row.updated_at.getTime(),
    mqttConnected: row.mqtt_connected,
    lastYoloOkAt: row.last_yolo_ok_at,
    lastVideoOkAt: row.last_video_ok_at,
  };
}

/** Reads it in one statement. */
export async function readProcessorState(pool: pg.Pool): Promise<ProcessorState> {
  const { rows } = await pool.query<Row>({ name: 'processor-state', text });
  const [row] = rows;
  return { heartbeat: row && toHeartbeat(row), isRestartPending: row?.restart_pending ?? false };
}

/** Undefined when no processor ever reported. */
export async function findHeartbeat(pool: pg.Pool): Promise<Heartbeat | undefined> {
  return (await readProcessorState(pool)).heartbeat;
}
