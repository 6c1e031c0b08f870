import { dayMs } from '@birdhub/shared/time';
import type pg from 'pg';

/** The states of a source. */
export const sourceStates = ['connecting', 'live', 'behind', 'silent', 'error', 'paused'] as const;

/** One of {@link sourceStates}. */
export type SourceState = (typeof sourceStates)[number];

/** The progress of a source, from which its state is derived. */
export interface SourceProgress {
  readonly enabled: boolean;
  /** The current error, as shown to users. */
  readonly message: string | null;
  readonly lastContactAt: Date | null;
  readonly lastEventAt: Date | null;
  /** All events of the source up to this time have been read. */
  readonly readUntil: Date | null;
  readonly createdAt: Date;
}

/** Sources are read every 30 s; a longer lag counts as `behind`. */
const maxLagMs = 120_000;
const maxSilenceMs = dayMs;

/** Returns how far the hub lags behind a source, in seconds; undefined before the first read. */
export function behindSeconds({ readUntil }: SourceProgress, now: number): number | undefined {
  if (!readUntil) return undefined;
  const lagMs = now - readUntil.getTime();
  return lagMs <= maxLagMs ? 0 : Math.round(lagMs / 1000);
}

/** Derives the state of a source. */
export function deriveSourceState(source: SourceProgress, now: number): SourceState {
  if (!source.enabled) return 'paused';
  if (source.message !== null) return 'error';
  if (!source.lastContactAt) return 'connecting';
  if ((behindSeconds(source, now) ?? 0) > 0) return 'behind';
  const lastEvent = Math.max(source.lastEventAt?.getTime() ?? 0, source.createdAt.getTime());
  return now - lastEvent > maxSilenceMs ? 'silent' : 'live';
}

/** Whether a source has been reached and reports no error; also true for a paused one. */
export function isSourceUp(source: SourceProgress, now: number): boolean {
  return !['error', 'connecting'].includes(deriveSourceState(source, now));
}

/** The public properties of a source. */
export interface SourceSummary extends SourceProgress {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly events: number;
  readonly dropped: number;
}

const listSql = `
  SELECT id, kind, name, enabled, message, last_contact_at AS "lastContactAt", last_event_at AS "lastEventAt",
    read_until AS "readUntil", created_at AS "createdAt", events, dropped
  FROM source WHERE removed_at IS NULL ORDER BY lower(name), id`;

/** Returns the configured sources by name. Plain SQL, because status and metrics poll it. */
export async function listSourceSummaries(pool: pg.Pool): Promise<SourceSummary[]> {
  return (await pool.query<SourceSummary>({ name: 'source-summaries', text: listSql })).rows;
}
