import type { PrismaClient } from '@birdhub/shared/db';
import type pg from 'pg';
import type { LogEntry } from './alert-rules.schema.js';

/** A query of the log. */
export interface LogQuery {
  /** Selects entries with a lower id. */
  readonly before: number;
  readonly limit: number;
  readonly notified: boolean | undefined;
}

/** Returns entries of the log, newest first. */
export async function listLog(
  { alertLog }: PrismaClient,
  { before, limit, notified }: LogQuery,
): Promise<LogEntry[]> {
  const rows = await alertLog.findMany({
    where: { id: { lt: before }, ...(notified !== undefined && { notified }) },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as LogEntry['kind'],
    at: row.about.toISOString(),
    logged_at: row.loggedAt.toISOString(),
    title: row.title,
    visit_id: row.visitId,
    video_id: row.videoId,
    species_id: row.speciesId,
    notified: row.notified,
    reason: row.reason as LogEntry['reason'],
    verdicts: row.verdicts as LogEntry['verdicts'],
  }));
}

/** Retention of the log. */
const keptDays = 30;
const maxEntries = 50_000;

const insertLogSql = `
  WITH expired AS (DELETE FROM alert_log WHERE id IN (
    SELECT id FROM alert_log
    WHERE logged_at < $4::timestamptz - interval '${keptDays} days'
      OR id <= (SELECT max(id) FROM alert_log) + 1 - ${maxEntries}
    FOR UPDATE SKIP LOCKED))
  INSERT INTO alert_log (subject, kind, about, logged_at, visit_id, video_id, species_id, title, notified, reason, verdicts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (subject) DO NOTHING`;

/** A bird, or a condition of the hub, that was evaluated. */
interface LogSubject {
  /** Unique and permanent, such as `visit:12`. */
  readonly key: string;
  readonly kind: LogEntry['kind'];
  readonly visitId: number | null;
  readonly videoId: number | null;
  readonly speciesId: number | null;
  readonly speciesName: string;
  /** ms since the epoch */
  readonly from: number;
}

/** The decision about a subject. */
interface LogOutcome extends Pick<LogEntry, 'notified' | 'reason' | 'verdicts'> {
  /** ms since the epoch */
  readonly now: number;
}

/** Adds an entry to the log, idempotently. */
export async function writeLog(
  client: Pick<pg.ClientBase, 'query'>,
  subject: LogSubject,
  { now, notified, reason, verdicts }: LogOutcome,
): Promise<void> {
  await client.query(insertLogSql, [
    subject.key,
    subject.kind,
    new Date(subject.from),
    new Date(now),
    subject.visitId,
    subject.videoId,
    subject.speciesId,
    subject.speciesName,
    notified,
    reason,
    JSON.stringify(verdicts),
  ]);
}

/** The verdict of a rule about a bird. */
export type Verdict = LogEntry['verdicts'][number];

const verdictsSql = 'SELECT verdicts FROM alert_log WHERE subject = $1';

/** Returns the logged verdicts about a bird. */
export async function readVerdicts(client: pg.ClientBase, key: string): Promise<Verdict[]> {
  const { rows } = await client.query<{ verdicts: Verdict[] }>(verdictsSql, [key]);
  return rows[0]?.verdicts ?? [];
}

const updateVerdictsSql = 'UPDATE alert_log SET verdicts = $2, notified = notified OR $3 WHERE subject = $1';

/** Replaces the logged verdicts about a bird. */
export async function updateVerdicts(
  client: pg.ClientBase,
  key: string,
  { verdicts, isQueued }: { readonly verdicts: readonly Verdict[]; readonly isQueued: boolean },
): Promise<void> {
  await client.query(updateVerdictsSql, [key, JSON.stringify(verdicts), isQueued]);
}

/** SQL: logged visits that a rule refused for their count or confidence, which may still grow. */
const growableSql = `
  SELECT visit_id AS "visitId", video_id AS "videoId" FROM alert_log
  WHERE subject = ANY ($1) AND verdicts @? '$[*] ? (@.refusal == "count" || @.refusal == "confidence")'`;

/** A visit that may grow, and its first recording. */
interface GrowableVisit {
  readonly visitId: number;
  readonly videoId: number;
}

/** Returns those visits for which a rule waits for more simultaneous birds or a higher confidence. */
export async function listGrowable(pool: pg.Pool, visitIds: readonly number[]): Promise<GrowableVisit[]> {
  const keys = visitIds.map((id) => `visit:${id}`);
  return (await pool.query<GrowableVisit>({ name: 'growable-visits', text: growableSql, values: [keys] }))
    .rows;
}
