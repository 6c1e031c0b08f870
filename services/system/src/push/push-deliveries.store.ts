import type pg from 'pg';
import type { ChannelName, Message } from '../notifications/channel.js';

/** What became of a message on one way to one who is told. */
export interface LoggedDelivery {
  readonly id: number;
  readonly channel: ChannelName;
  /** The subscription of a browser; empty where a channel reaches but one. */
  readonly target: string;
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'gone';
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly message: Message;
  readonly visitId: number | null;
}

const listSql = `
  SELECT push_delivery.id, channel, target, state, attempts, next_attempt_at AS "nextAttemptAt", error,
    push_delivery.created_at AS "createdAt", message, visit_id AS "visitId"
  FROM push_delivery JOIN notification ON notification.id = notification_id
  WHERE push_delivery.id < $1 ORDER BY push_delivery.id DESC LIMIT $2`;

/** Deliveries before one, the newest first. */
export async function listDeliveries(
  pool: pg.Pool,
  before: number,
  limit: number,
): Promise<LoggedDelivery[]> {
  const { rows } = await pool.query<LoggedDelivery>(listSql, [before, limit]);
  return rows;
}
