import type pg from 'pg';

/** How a source is doing. */
export const sourceStates = ['connecting', 'live', 'behind', 'silent', 'error', 'paused'] as const;

/** One of {@link sourceStates}. */
export type SourceState = (typeof sourceStates)[number];

/** What the state of a source is derived from. */
export interface SourceProgress {
  readonly enabled: boolean;
  /** What is wrong, for a person. */
  readonly message: string | null;
  readonly lastContactAt: Date | null;
  readonly lastEventAt: Date | null;
  /** Up to when everything upstream was read. */
  readonly readUntil: Date | null;
  readonly createdAt: Date;
}

/** Reading is repeated every 30 s; so long it may take without being behind. */
const maxLagMs = 120_000;
const maxSilenceMs = 86_400_000;

/** Returns how far reading is behind upstream in seconds; undefined when nothing was read yet. */
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

/** A source as everyone may see it. */
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

/** Returns the sources that people have set up, by name. Plain SQL, as status and metrics poll with it. */
export async function listSourceSummaries(pool: pg.Pool): Promise<SourceSummary[]> {
  return (await pool.query<SourceSummary>({ name: 'source-summaries', text: listSql })).rows;
}
