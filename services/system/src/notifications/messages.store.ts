import { hashedKey, inTransaction, lockPrefixes } from '@birdhub/shared/db';
import { dayMs, msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Message } from '../channels/index.js';
import type { StoredRule } from './alert-rule.js';
import type { EarlierMessage } from './evaluate-rule.js';

/** The channels of messages. */
export interface MessageChannels {
  /** Returns all channels, including disabled ones. */
  list(): Promise<readonly MessageChannel[]>;
  /**
   * Adds a delivery for each recipient of the channels, in the transaction of the notification. Returns their number.
   */
  enqueue(client: pg.ClientBase, delivery: NewDelivery): Promise<number>;
  /** Checks for deliveries now. */
  wake(): void;
}

/** A notification channel. */
export interface MessageChannel {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Whether it sends attached files. */
  readonly takesFiles: boolean;
}

/** The delivery of a stored notification by some channels. */
export interface NewDelivery {
  readonly notificationId: number;
  readonly channelIds: readonly number[];
  /** ms since the epoch */
  readonly now: number;
  readonly attachments?: readonly {
    readonly name: string;
    readonly type: string;
    readonly content: Buffer;
  }[];
}

/** Returns the enabled channels of a rule. */
export function channelsOf(
  { channels: chosen }: Pick<StoredRule, 'channels'>,
  all: readonly MessageChannel[],
) {
  return all
    .filter(({ id, enabled }) => enabled && (!chosen.length || chosen.includes(id)))
    .map(({ id }) => id);
}

/** Retention of messages. */
const keptDays = 30;

const lockSql = `SELECT pg_advisory_xact_lock(${hashedKey(`'${lockPrefixes.notification}' || $1`)})`;

/** Serialises the decisions about a species, or another subject of messages, until the transaction ends. */
export async function lockMessages(client: pg.ClientBase, subject: string): Promise<void> {
  await client.query(lockSql, [subject]);
}

/** SQL: whether the same event was handled already. */
const handledSql = `
  SELECT FROM alert_log WHERE subject = $1 UNION ALL SELECT FROM notification WHERE message_key = $1 LIMIT 1`;

/** Whether an event was logged, or has a message, already. */
export function isHandled(client: pg.ClientBase, key: string): Promise<boolean> {
  return hasRow(client, handledSql, [key]);
}

/** SQL: whether a notice is within a visit with a message. */
const inNotifiedVisitSql = `
  SELECT FROM notification JOIN species_visit visit ON visit.id = visit_id
  WHERE species_key = $1 AND $2 BETWEEN visit.start_time - $3 * interval '1 ms' AND visit.end_time + $4 * interval '1 ms'
  LIMIT 1`;

/**
 * Whether a time, in ms since the epoch, is within a visit of a species with a message, extended by `before` and `after`
 * in ms.
 */
export function isInNotifiedVisit(
  client: pg.ClientBase,
  speciesKey: string,
  { at, before, after }: { readonly at: number; readonly before: number; readonly after: number },
): Promise<boolean> {
  return hasRow(client, inNotifiedVisitSql, [speciesKey, new Date(at), before, after]);
}

const claimNoticesSql = `
  UPDATE notification SET visit_id = $2 WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4 AND about = (
    SELECT min(about) FROM notification WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4)`;

/** Links the first notice of a span, in ms since the epoch, to the visit during which it was sent. */
export async function claimNotices(
  client: pg.ClientBase,
  speciesKey: string,
  { visitId, from, to }: { readonly visitId: number; readonly from: number; readonly to: number },
): Promise<void> {
  await client.query(claimNoticesSql, [speciesKey, visitId, new Date(from), new Date(to)]);
}

async function hasRow(client: pg.ClientBase, text: string, values: unknown[]): Promise<boolean> {
  return ((await client.query(text, values)).rowCount ?? 0) > 0;
}

/** SQL: earlier messages about a species, except those invalidated by a correction. */
const earlierMessagesSql = `
  SELECT rule_id AS "ruleId", ${msSql('about')} AS about,
    ${msSql('created_at')} AS at
  FROM notification WHERE species_key = $1 AND created_at > $2 AND message_key NOT LIKE 'correction:%' AND corrected_at IS NULL
    AND (visit_id IS NULL OR EXISTS (
      SELECT FROM species_visit visit WHERE visit.id = visit_id
        AND (notification.species_id IS NULL OR visit.species_id = notification.species_id)))`;

/** Lists the earlier messages about a species or another subject. */
export async function listEarlierMessages(
  client: pg.ClientBase,
  speciesKey: string,
  now: number,
): Promise<EarlierMessage[]> {
  return (
    await client.query<EarlierMessage>(earlierMessagesSql, [speciesKey, new Date(now - keptDays * dayMs)])
  ).rows;
}

/** SQL: the channels with a message; messages without channels, of an earlier version, were sent to all. */
const takenSql = `
  SELECT rule_id AS "ruleId", channel_ids AS "channelIds" FROM notification WHERE visit_id = $1`;

/** Returns the channels that have a message about a visit. */
export async function listTaken(
  client: pg.ClientBase,
  visitId: number,
  channels: readonly MessageChannel[],
): Promise<Set<number>> {
  const { rows } = await client.query<{ ruleId: number | null; channelIds: number[] }>(takenSql, [visitId]);
  if (rows.some(({ ruleId }) => ruleId === null)) return new Set(channels.map(({ id }) => id));
  return new Set(rows.flatMap(({ channelIds }) => channelIds));
}

const insertSql = `
  WITH expired AS (DELETE FROM notification WHERE created_at < $9::timestamptz - interval '${keptDays} days')
  INSERT INTO notification (message_key, species_key, species_id, visit_id, about, message, expires_at, rule_id, created_at, channel_ids)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`;

/** A message to be stored. */
export interface NewNotification {
  readonly message: Message;
  readonly speciesKey: string;
  readonly speciesId: number | null;
  readonly visitId: number | null;
  /** ms since the epoch */
  readonly about: number;
  readonly expiresAt: number;
  readonly ruleId: number | null;
  readonly channelIds: readonly number[];
  readonly attachments?: NewDelivery['attachments'];
}

/** Stores a message with its deliveries. Returns whether it has recipients; without any nothing is stored. */
export async function addNotification(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  notification: NewNotification,
  now: number,
): Promise<boolean> {
  const { notificationId, deliveries } = await store(client, channels, notification, now);
  if (deliveries > 0) return true;
  await client.query('DELETE FROM notification WHERE id = $1', [notificationId]);
  return false;
}

/** Stores a message with its deliveries once per key, also without recipients. Returns whether it was queued. */
export function addOnce(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  notification: NewNotification,
  now: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockMessages(client, notification.message.key);
    if (await isStored(client, notification.message.key)) return false;
    return (await store(client, channels, notification, now)).deliveries > 0;
  });
}

async function store(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  notification: NewNotification,
  now: number,
): Promise<{ readonly notificationId: number; readonly deliveries: number }> {
  const { message, speciesKey, speciesId, visitId, about, expiresAt, ruleId, channelIds, attachments } =
    notification;
  const { rows } = await client.query<{ id: number }>(insertSql, [
    message.key,
    speciesKey,
    speciesId,
    visitId,
    new Date(about),
    JSON.stringify(message),
    new Date(expiresAt),
    ruleId,
    new Date(now),
    channelIds,
  ]);
  const notificationId = rows[0]?.id;
  if (notificationId === undefined) throw new Error('the database returned no id of a notification');
  const deliveries = await channels.enqueue(client, {
    notificationId,
    channelIds,
    now,
    ...(attachments && { attachments }),
  });
  return { notificationId, deliveries };
}

/** Whether a message with a key was stored within the last month. */
export function isStored(client: Pick<pg.ClientBase, 'query'>, key: string): Promise<boolean> {
  return client
    .query('SELECT FROM notification WHERE message_key = $1', [key])
    .then(({ rowCount }) => (rowCount ?? 0) > 0);
}
