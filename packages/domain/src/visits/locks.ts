import { lockClasses } from '@birdhub/shared/db';

/** The advisory locks of a writer. All writers take them in the same order, so that they cannot deadlock. */
export interface WriterLocks {
  /** Hashes of the keys of the written recordings. */
  readonly videos: ReadonlySet<number>;
  /** Species whose visits change. */
  readonly species: ReadonlySet<number>;
  /** Their ancestors, whose audio-only runs may attach to those visits; shared locks. */
  readonly ancestors: ReadonlySet<number>;
  /** Whether the lock that excludes all other writers is held, which covers every other lock. */
  readonly isExclusive: boolean;
}

/** Thrown by work that needs more locks than its transaction holds. */
export class LocksNeededError extends Error {
  override readonly name = 'LocksNeededError';
  readonly species: readonly number[];
  readonly videos: readonly number[];

  constructor(species: readonly number[], videos: readonly number[] = []) {
    super('more locks are needed');
    this.species = species;
    this.videos = videos;
  }
}

/** Checks that all locks are held. @throws LocksNeededError */
export function requireLocks(
  locks: WriterLocks,
  {
    species = [],
    videos = [],
  }: { readonly species?: readonly number[]; readonly videos?: readonly number[] },
): void {
  if (locks.isExclusive) return;
  if (species.every((id) => locks.species.has(id)) && videos.every((lock) => locks.videos.has(lock))) return;
  throw new LocksNeededError(species, videos);
}

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

/**
 * Writers read few rows by index, in statements that take longer to plan than to run. Generic plans are therefore
 * forced, and indexes are used even before PostgreSQL has statistics.
 */
const begin = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/** A writer that needs more locks runs exclusively: PostgreSQL has room for a few thousand locks of all connections. */
export const maxLocks = 200;

/** Returns the statements that open a transaction and take the locks, for one round trip. */
export function beginWithLocks({ videos, species, ancestors, isExclusive }: WriterLocks): string {
  if (isExclusive) return `${begin}; SELECT pg_advisory_xact_lock(${lockClasses.visitRule}, 0)`;
  const calls = [`pg_advisory_xact_lock_shared(${lockClasses.visitRule}, 0)`];
  for (const video of ascending(videos))
    calls.push(`pg_advisory_xact_lock(${lockClasses.recording}, ${video})`);
  for (const id of ascending(new Set([...species, ...ancestors]))) {
    calls.push(`pg_advisory_xact_lock${species.has(id) ? '' : '_shared'}(${lockClasses.species}, ${id})`);
  }
  return `${begin}; SELECT ${calls.join(', ')}`;
}

/** Opens a transaction that locks out all other writers of recordings and visits. */
export const beginExclusive = `BEGIN; SELECT pg_advisory_xact_lock(${lockClasses.visitRule}, 0)`;
