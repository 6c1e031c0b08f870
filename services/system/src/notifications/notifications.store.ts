import { hashedKey, inTransaction, lockPrefixes } from '@birdhub/shared/db';
import type pg from 'pg';
import type { ChannelName, Message } from './channel.js';

/** A message that people may be told of, and what decides whether they are. */
export interface Notification {
  readonly message: Message;
  /** The one spelling by which a species is told apart from others. */
  readonly speciesKey: string;
  /** When the bird was there, ms since the epoch; for an announcement both are the same. */
  readonly from: number;
  readonly to: number;
  readonly expiresAt: number;
}

/** Where a message goes. */
export interface Target {
  readonly channel: ChannelName;
  readonly target: string;
}

/** The rules of the settings at a moment. */
export interface TellingRules {
  /** ms since the epoch */
  readonly now: number;
  readonly cooldownMs: number;
  /** The silence that ends a visit. */
  readonly gapMs: number;
}

/** How far the clocks of hub and processor may be apart. */
const clockSlackMs = 30_000;

const lockSql = `SELECT pg_advisory_xact_lock(${hashedKey(`'${lockPrefixes.notification}' || $1`)})`;

const knownSql = `
  SELECT FROM notification WHERE message_key = $1 OR visit_id = $2
  UNION ALL SELECT FROM notification JOIN species_visit visit ON visit.id = visit_id
  WHERE $2::bigint IS NULL AND species_key = $3 AND $4 BETWEEN visit.start_time - $5 * interval '1 ms'
    AND visit.end_time + $6 * interval '1 ms'
  LIMIT 1`;

/** An announcement speaks for the one visit that it was made in. */
const claimSql = `
  UPDATE notification SET visit_id = $2 WHERE id = (
    SELECT id FROM notification WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4
    ORDER BY about LIMIT 1)`;

const recentSql = 'SELECT FROM notification WHERE species_key = $1 AND created_at > $2 LIMIT 1';

const insertSql = `
  WITH expired AS (DELETE FROM notification WHERE created_at < $8::timestamptz - interval '30 days'),
  told AS (
    INSERT INTO notification (message_key, species_key, visit_id, about, message, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $8) RETURNING id)
  INSERT INTO push_delivery (notification_id, channel, target, next_attempt_at, created_at)
  SELECT id, channel, target, $8, $8 FROM told, json_to_recordset($7) AS of_message (channel text, target text)`;

const after = (instant: number, ms = 0) => new Date(instant + ms);
const hasRow = ({ rowCount }: pg.QueryResult) => rowCount !== 0;

async function isTold(client: pg.ClientBase, told: Notification, rules: TellingRules): Promise<boolean> {
  const { message, speciesKey, from, to } = told;
  const { key, visitId } = message;
  const endSlackMs = rules.gapMs + clockSlackMs;
  const known = [key, visitId, speciesKey, after(from), clockSlackMs, endSlackMs];
  if (hasRow(await client.query(knownSql, known))) return true;
  const span = [after(from, -clockSlackMs), after(to, endSlackMs)];
  if (visitId !== null && hasRow(await client.query(claimSql, [speciesKey, visitId, ...span]))) return true;
  return hasRow(await client.query(recentSql, [speciesKey, after(rules.now, -rules.cooldownMs)]));
}

/**
 * Keeps a message and its way to each target, unless people were told of this visit, or of this species within the
 * cooldown; answers whether it was kept. Two processes that ask about one species at once ask in turn.
 */
export async function addNotification(
  pool: pg.Pool,
  told: Notification,
  targets: readonly Target[],
  rules: TellingRules,
): Promise<boolean> {
  const { message, speciesKey, from, expiresAt } = told;
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [speciesKey]);
    if (await isTold(client, told, rules)) return false;
    await client.query(insertSql, [
      message.key,
      speciesKey,
      message.visitId,
      after(from),
      JSON.stringify(message),
      after(expiresAt),
      JSON.stringify(targets),
      after(rules.now),
    ]);
    return true;
  });
}
