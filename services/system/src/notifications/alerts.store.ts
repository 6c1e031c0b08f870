import { hashedKey, inTransaction, lockPrefixes } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Message } from '../channels/index.js';
import type { StoredRule } from './alert-rule.js';
import type { LogEntry } from './alert-rules.schema.js';
import type { EarlierMessage, Refusal } from './evaluate-rule.js';

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
interface MessageChannel {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly enabled: boolean;
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

/** A bird to be evaluated by the rules. */
export interface Candidate {
  /** Unique and permanent, such as `visit:12`. */
  readonly key: string;
  readonly kind: 'visit' | 'notice';
  readonly visitId: number | null;
  readonly videoId: number | null;
  readonly speciesId: number | null;
  readonly speciesName: string;
  /** Normalised name of the species. */
  readonly speciesKey: string;
  /** Span of the bird, ms since the epoch; an instant for a notice. */
  readonly from: number;
  readonly to: number;
  readonly expiresAt: number;
}

/** The context of the decision about a bird. */
export interface Decision {
  readonly rules: readonly StoredRule[];
  readonly channels: readonly MessageChannel[];
  /** ms since the epoch */
  readonly now: number;
  /** The gap that ends a visit. */
  readonly gapMs: number;
  refusalOf(rule: StoredRule, earlier: readonly EarlierMessage[]): Refusal | undefined;
  messageOf(rule: StoredRule, key: string): Message;
}

/** Tolerated difference between the clocks of hub and processor. */
const clockSlackMs = 30_000;
/** Retention of messages and the log. */
const keptDays = 30;

const lockSql = `SELECT pg_advisory_xact_lock(${hashedKey(`'${lockPrefixes.notification}' || $1`)})`;

/** SQL: whether the same event was handled already. */
const repeatedSql = `
  SELECT FROM alert_log WHERE subject = $1 UNION ALL SELECT FROM notification WHERE message_key = $1 LIMIT 1`;

/** SQL: whether a notice is within a visit with a message. */
const inEarlierMessageSql = `
  SELECT FROM notification JOIN species_visit visit ON visit.id = visit_id
  WHERE species_key = $1 AND $2 BETWEEN visit.start_time - $3 * interval '1 ms' AND visit.end_time + $4 * interval '1 ms'
  LIMIT 1`;

/** Links notices to the visit in which they were sent. */
const claimNoticesSql = `
  UPDATE notification SET visit_id = $2 WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4 AND about = (
    SELECT min(about) FROM notification WHERE species_key = $1 AND visit_id IS NULL AND about BETWEEN $3 AND $4)`;

/** SQL: the channels with a message; messages of an earlier version without channels went to all. */
const takenSql = `
  SELECT rule_id AS "ruleId", channel_ids AS "channelIds" FROM notification WHERE visit_id = $1`;

/** SQL: earlier messages about a species, except those invalidated by a correction. */
const earlierMessagesSql = `
  SELECT rule_id AS "ruleId", (extract(epoch FROM about) * 1000)::bigint AS about,
    (extract(epoch FROM created_at) * 1000)::bigint AS at
  FROM notification WHERE species_key = $1 AND created_at > $2 AND message_key NOT LIKE 'correction:%' AND corrected_at IS NULL
    AND (visit_id IS NULL OR EXISTS (
      SELECT FROM species_visit visit WHERE visit.id = visit_id
        AND (notification.species_id IS NULL OR visit.species_id = notification.species_id)))`;

const insertSql = `
  WITH expired AS (DELETE FROM notification WHERE created_at < $9::timestamptz - interval '${keptDays} days')
  INSERT INTO notification (message_key, species_key, species_id, visit_id, about, message, expires_at, rule_id, created_at, channel_ids)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`;

const insertLogSql = `
  WITH expired AS (DELETE FROM alert_log WHERE logged_at < $4::timestamptz - interval '${keptDays} days')
  INSERT INTO alert_log (subject, kind, about, logged_at, visit_id, video_id, species_id, title, told, reason, verdicts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (subject) DO NOTHING`;

/** SQL: logged visits that a rule refused for their count or confidence, which may still grow. */
const growableSql = `
  SELECT visit_id AS "visitId", video_id AS "videoId" FROM alert_log
  WHERE subject = ANY ($1) AND verdicts @? '$[*] ? (@.refusal == "count" || @.refusal == "confidence")'`;

const verdictsSql = 'SELECT verdicts FROM alert_log WHERE subject = $1';

const updateVerdictsSql = 'UPDATE alert_log SET verdicts = $2, told = told OR $3 WHERE subject = $1';

/** A visit that may grow, and its first recording. */
interface GrowableVisit {
  readonly visitId: number;
  readonly videoId: number;
}

type Verdict = LogEntry['verdicts'][number];

/**
 * Evaluates the rules for a bird in order: each channel gets the message of the first rule that applies. Messages,
 * deliveries and the log are written in one transaction; a lock per species serialises concurrent calls. Idempotent.
 * Returns whether a message was queued.
 */
export function notifyByRules(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  bird: Candidate,
  decision: Decision,
): Promise<boolean> {
  const { now } = decision;
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [bird.speciesKey]);
    if (await hasRow(client, repeatedSql, [bird.key])) return false;
    if (await isAlreadyNotified(client, bird, decision)) {
      await writeLog(client, bird, { now, told: false, reason: 'told_already', verdicts: [] });
      return false;
    }
    const taken = await takenChannels(client, bird, decision);
    const earlier = await listEarlierMessages(client, bird.speciesKey, now);
    const verdicts: Verdict[] = [];
    for (const rule of decision.rules)
      verdicts.push(await evaluateRule(client, channels, { bird, decision, rule, taken, earlier }));
    const isQueued = verdicts.some((verdict) => verdict.told);
    await writeLog(client, bird, { now, told: isQueued, reason: null, verdicts });
    return isQueued;
  });
}

/** Returns those visits for which a rule waits for more birds at once or a higher confidence. */
export async function listGrowable(pool: pg.Pool, visitIds: readonly number[]): Promise<GrowableVisit[]> {
  const keys = visitIds.map((id) => `visit:${id}`);
  return (await pool.query<GrowableVisit>({ name: 'growable-visits', text: growableSql, values: [keys] }))
    .rows;
}

/**
 * Evaluates again the rules that refused a visit for its count or confidence, as it may have grown since. Each rule
 * notifies of a visit once. Returns whether a message was queued.
 */
export function notifyOfGrowth(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  bird: Candidate,
  decision: Decision,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [bird.speciesKey]);
    const logged = await client.query<{ verdicts: Verdict[] }>(verdictsSql, [bird.key]);
    const before = logged.rows[0]?.verdicts ?? [];
    const taken = await takenChannels(client, bird, decision);
    const earlier = await listEarlierMessages(client, bird.speciesKey, decision.now);
    const verdicts: Verdict[] = [];
    for (const verdict of before) {
      const rule = decision.rules.find(({ id }) => id === verdict.rule_id);
      const isOpen = rule && isGrowthRefusal(verdict.refusal);
      verdicts.push(
        isOpen ? await evaluateRule(client, channels, { bird, decision, rule, taken, earlier }) : verdict,
      );
    }
    const isQueued = verdicts.some((verdict, index) => verdict.told && !before[index]?.told);
    await client.query(updateVerdictsSql, [bird.key, JSON.stringify(verdicts), isQueued]);
    return isQueued;
  });
}

const isGrowthRefusal = (refusal: Refusal | null) => refusal === 'count' || refusal === 'confidence';

/** Evaluates one rule, and queues its message if it applies. */
async function evaluateRule(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  { earlier, ...evaluation }: RuleEvaluation & { readonly earlier: readonly EarlierMessage[] },
): Promise<Verdict> {
  const { rule, decision } = evaluation;
  const refusal = decision.refusalOf(rule, earlier) ?? (await notifyByRule(client, channels, evaluation));
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    told: refusal === undefined,
    refusal: refusal ?? null,
  };
}

async function listEarlierMessages(
  client: pg.ClientBase,
  speciesKey: string,
  now: number,
): Promise<EarlierMessage[]> {
  return (
    await client.query<EarlierMessage>(earlierMessagesSql, [
      speciesKey,
      new Date(now - keptDays * 86_400_000),
    ])
  ).rows;
}

async function hasRow(client: pg.ClientBase, text: string, values: unknown[]): Promise<boolean> {
  return ((await client.query(text, values)).rowCount ?? 0) > 0;
}

async function isAlreadyNotified(
  client: pg.ClientBase,
  { kind, speciesKey, from }: Candidate,
  { gapMs }: Decision,
): Promise<boolean> {
  if (kind === 'visit') return false;
  return hasRow(client, inEarlierMessageSql, [
    speciesKey,
    new Date(from),
    clockSlackMs,
    gapMs + clockSlackMs,
  ]);
}

/** Returns the channels that have a message about the visit, from a notice of it or the correction that created it. */
async function takenChannels(
  client: pg.ClientBase,
  { visitId, speciesKey, from, to }: Candidate,
  { channels, gapMs }: Decision,
): Promise<Set<number>> {
  if (visitId === null) return new Set();
  const span = [new Date(from - clockSlackMs), new Date(to + gapMs + clockSlackMs)];
  await client.query(claimNoticesSql, [speciesKey, visitId, ...span]);
  return listTaken(client, visitId, channels);
}

async function listTaken(
  client: pg.ClientBase,
  visitId: number,
  channels: readonly MessageChannel[],
): Promise<Set<number>> {
  const { rows } = await client.query<{ ruleId: number | null; channelIds: number[] }>(takenSql, [visitId]);
  if (rows.some(({ ruleId }) => ruleId === null)) return new Set(channels.map(({ id }) => id));
  return new Set(rows.flatMap(({ channelIds }) => channelIds));
}

/** A rule that is evaluated for a bird. */
interface RuleEvaluation {
  readonly bird: Candidate;
  readonly decision: Decision;
  readonly rule: StoredRule;
  /** Channels that have a message about the bird; extended by each rule. */
  readonly taken: Set<number>;
}

/** Queues the message of a rule. Returns the reason when that is not possible. */
async function notifyByRule(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  { bird, decision, rule, taken }: RuleEvaluation,
): Promise<Refusal | undefined> {
  const wanted = channelsOf(rule, decision.channels);
  const channelIds = wanted.filter((id) => !taken.has(id));
  if (!channelIds.length) return wanted.length ? 'other_rule' : 'no_channel';
  const key = taken.size > 0 ? `${bird.key}:${rule.id}` : bird.key;
  const message = decision.messageOf(rule, key);
  const row = { ...bird, message, ruleId: rule.id, channelIds, about: bird.from };
  if (!(await addNotification(client, channels, row, decision.now))) return 'no_channel';
  for (const id of channelIds) taken.add(id);
  return undefined;
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

/** A message to be stored. */
interface NewNotification {
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
async function addNotification(
  client: pg.ClientBase,
  channels: Pick<MessageChannels, 'enqueue'>,
  notification: NewNotification,
  now: number,
): Promise<boolean> {
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
  if (deliveries > 0) return true;
  await client.query('DELETE FROM notification WHERE id = $1', [notificationId]);
  return false;
}

/** An entry of the log about a bird. */
interface Logged extends Pick<LogEntry, 'told' | 'reason' | 'verdicts'> {
  /** ms since the epoch */
  readonly now: number;
}

/** Adds a bird to the log, idempotently. */
export async function writeLog(
  client: Pick<pg.ClientBase, 'query'>,
  bird: Pick<Candidate, 'key' | 'visitId' | 'videoId' | 'speciesId' | 'speciesName' | 'from'> & {
    readonly kind: LogEntry['kind'];
  },
  { now, told, reason, verdicts }: Logged,
): Promise<void> {
  await client.query(insertLogSql, [
    bird.key,
    bird.kind,
    new Date(bird.from),
    new Date(now),
    bird.visitId,
    bird.videoId,
    bird.speciesId,
    bird.speciesName,
    told,
    reason,
    JSON.stringify(verdicts),
  ]);
}

/** A message about a visit that was invalidated by a correction. */
export interface OutdatedMessage {
  readonly id: number;
  readonly ruleId: number;
  readonly channelIds: readonly number[];
  readonly message: Message;
  /** ms since the epoch */
  readonly about: number;
}

/** How long after a message a correction is sent. */
const correctableDays = 7;

const outdatedSql = `
  UPDATE notification SET corrected_at = $2 WHERE visit_id = ANY ($1) AND rule_id IS NOT NULL AND corrected_at IS NULL
    AND created_at > $2::timestamptz - interval '${correctableDays} days' AND species_id IS NOT NULL
    AND message_key NOT LIKE 'correction:%'
    AND NOT EXISTS (SELECT FROM species_visit visit WHERE visit.id = visit_id AND visit.species_id = notification.species_id)
  RETURNING id, rule_id AS "ruleId", channel_ids AS "channelIds", message, (extract(epoch FROM about) * 1000)::bigint AS about`;

/** The context of a correction. */
interface CorrectionDecision {
  readonly visitIds: readonly number[];
  /** The new visit of the detections, and its species. */
  readonly now: number;
  readonly visitId: number | null;
  readonly speciesId: number;
  readonly speciesKey: string;
  readonly channels: readonly MessageChannel[];
  readonly expiresAt: number;
  /** Returns undefined when the rule does not send corrections. */
  messageOf(outdated: OutdatedMessage): Message | undefined;
}

/**
 * Marks the messages that a correction invalidated, and queues corrections if their rules send any. A message is marked
 * once, so that it is corrected at most once. Returns whether one was queued.
 */
export function queueCorrections(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  decision: CorrectionDecision,
): Promise<boolean> {
  const { now, visitIds, visitId, speciesId, speciesKey, expiresAt } = decision;
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [speciesKey]);
    const { rows } = await client.query<OutdatedMessage>(outdatedSql, [visitIds, new Date(now)]);
    let isQueued = false;
    for (const outdated of rows) {
      const message = decision.messageOf(outdated);
      if (!message) continue;
      const taken = visitId === null ? new Set() : await listTaken(client, visitId, decision.channels);
      const enabled = channelsOf({ channels: outdated.channelIds }, decision.channels);
      const channelIds = enabled.filter((id) => !taken.has(id));
      if (!channelIds.length) continue;
      const row = {
        message,
        speciesKey,
        speciesId,
        visitId,
        about: outdated.about,
        expiresAt,
        ruleId: outdated.ruleId,
        channelIds,
      };
      isQueued = (await addNotification(client, channels, row, now)) || isQueued;
    }
    return isQueued;
  });
}

/** A condition of the hub for which a rule notifies. */
interface HubDecision {
  readonly rule: StoredRule;
  /** Its permanent subject. */
  readonly subject: string;
  /** ms since the epoch */
  readonly since: number;
  readonly now: number;
  readonly expiresAt: number;
  readonly channels: readonly MessageChannel[];
  readonly message: Message;
  isRefused(earlier: readonly EarlierMessage[]): boolean;
}

/** Queues a message about the hub once per key, and logs it. Returns whether it was queued. */
export function notifyOfHub(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  { rule, subject, since, now, expiresAt, channels: all, message, isRefused }: HubDecision,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [subject]);
    if (await hasRow(client, repeatedSql, [message.key])) return false;
    if (isRefused(await listEarlierMessages(client, subject, now))) return false;
    const row = {
      message,
      speciesKey: subject,
      speciesId: null,
      visitId: null,
      about: since,
      expiresAt,
      ruleId: rule.id,
      channelIds: channelsOf(rule, all),
    };
    if (!row.channelIds.length || !(await addNotification(client, channels, row, now))) return false;
    const verdicts = [{ rule_id: rule.id, rule_name: rule.name, told: true, refusal: null }];
    const logged = {
      key: message.key,
      kind: 'hub' as const,
      visitId: null,
      videoId: null,
      speciesId: null,
      speciesName: message.title,
      from: since,
    };
    await writeLog(client, logged, { now, told: true, reason: null, verdicts });
    return true;
  });
}

/** Queues a message once per key. Returns whether it was queued. */
export function addOnce(
  pool: pg.Pool,
  channels: Pick<MessageChannels, 'enqueue'>,
  notification: NewNotification,
  now: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [notification.message.key]);
    if (await isStored(client, notification.message.key)) return false;
    return addNotification(client, channels, notification, now);
  });
}

/** Whether a message with a key was stored within the last month. */
export function isStored(client: Pick<pg.ClientBase, 'query'>, key: string): Promise<boolean> {
  return client
    .query('SELECT FROM notification WHERE message_key = $1', [key])
    .then(({ rowCount }) => (rowCount ?? 0) > 0);
}
