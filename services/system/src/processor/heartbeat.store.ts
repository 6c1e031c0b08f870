import type pg from 'pg';

/** The newest heartbeat; values sent by the processor are unvalidated. */
export interface Heartbeat {
  /** When it arrived, ms since the epoch. */
  readonly at: number;
  readonly mqttConnected: unknown;
  readonly lastYoloOkAt: unknown;
  readonly lastVideoOkAt: unknown;
}

/** The state of the processors. */
export interface ProcessorState {
  /** Undefined before the first heartbeat. */
  readonly heartbeat: Heartbeat | undefined;
  /** Whether a requested restart is pending. */
  readonly isRestartPending: boolean;
  readonly mqttPosts: MqttPosts;
}

/** The last report of the MQTT intake, with total counts. */
export interface MqttPosts {
  readonly isConnected: boolean;
  /** Ms since the epoch; undefined before the first report. */
  readonly reportedAt: number | undefined;
  readonly taken: number;
  readonly refused: number;
  readonly lastTakenAt: number | undefined;
}

const freshMs = 5 * 60_000;

const stateSql = `
  SELECT beat.*, EXISTS (
    SELECT FROM processor_command WHERE type = 'restart' AND acked_at IS NULL AND expires_at > now()
  ) AS restart_pending, intake.connected AS mqtt_posts_connected, intake.reported_at AS mqtt_posts_reported_at,
    intake.taken AS mqtt_posts_taken, intake.refused AS mqtt_posts_refused,
    intake.last_taken_at AS mqtt_posts_last_taken_at
  FROM (VALUES (1)) hub LEFT JOIN mqtt_intake intake ON true LEFT JOIN (
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
  readonly mqtt_posts_connected: boolean | null;
  readonly mqtt_posts_reported_at: Date | null;
  readonly mqtt_posts_taken: number | null;
  readonly mqtt_posts_refused: number | null;
  readonly mqtt_posts_last_taken_at: Date | null;
}

/** Reads the state in one statement. */
export async function readProcessorState(pool: pg.Pool): Promise<ProcessorState> {
  const { rows } = await pool.query<Row>({ name: 'processor-state', text: stateSql });
  const [row] = rows;
  const mqttPosts = {
    isConnected: row?.mqtt_posts_connected ?? false,
    reportedAt: row?.mqtt_posts_reported_at?.getTime(),
    taken: row?.mqtt_posts_taken ?? 0,
    refused: row?.mqtt_posts_refused ?? 0,
    lastTakenAt: row?.mqtt_posts_last_taken_at?.getTime(),
  };
  return { heartbeat: row && toHeartbeat(row), isRestartPending: row?.restart_pending ?? false, mqttPosts };
}

/** Returns undefined before the first heartbeat. */
export async function findHeartbeat(pool: pg.Pool): Promise<Heartbeat | undefined> {
  return (await readProcessorState(pool)).heartbeat;
}

/** Whether an instant is less than five minutes ago. */
export function isFresh(at: number, now: number): boolean {
  return now - at < freshMs;
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
