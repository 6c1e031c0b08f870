import type { PrismaClient } from '@birdhub/shared/db';
import type { LogEntry } from './alert-rules.schema.js';

/** A query of the log. */
export interface LogQuery {
  /** Selects entries with a lower id. */
  readonly before: number;
  readonly limit: number;
  readonly told: boolean | undefined;
}

/** Returns entries of the log, newest first. */
export async function listLog(
  { alertLog }: PrismaClient,
  { before, limit, told }: LogQuery,
): Promise<LogEntry[]> {
  const rows = await alertLog.findMany({
    where: { id: { lt: before }, ...(told !== undefined && { told }) },
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
    told: row.told,
    reason: row.reason as LogEntry['reason'],
    verdicts: row.verdicts as LogEntry['verdicts'],
  }));
}
