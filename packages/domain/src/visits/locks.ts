import { lockClasses } from '@birdhub/shared/db';

/** The advisory locks of a writer. All writers take them in one order, so that they cannot deadlock. */
export interface WriterLocks {
  /** Hashes of the upsert keys of the recordings that are written. */
  readonly videos: ReadonlySet<number>;
  /** Species whose visits change. */
  readonly species: ReadonlySet<number>;
  /** Their ancestors, whose audio-only runs may attach to those visits; held shared. */
  readonly ancestors: ReadonlySet<number>;
  /** Whether no one else writes meanwhile, which is as good as holding every lock. */
  readonly isAlone: boolean;
}

/** The work needs locks that it does not hold. */
export class LocksNeeded extends Error {
  override readonly name = 'LocksNeeded';
  readonly species: readonly number[];
  readonly videos: readonly number[];

  constructor(species: readonly number[], videos: readonly number[] = []) {
    super('more locks are needed');
    this.species = species;
    this.videos = videos;
  }
}

/** @throws LocksNeeded when some of them are not held */
export function requireLocks(
  locks: WriterLocks,
  {
    species = [],
    videos = [],
  }: { readonly species?: readonly number[]; readonly videos?: readonly number[] },
): void {
  if (locks.isAlone) return;
  if (species.every((id) => locks.species.has(id)) && videos.every((lock) => locks.videos.has(lock))) return;
  throw new LocksNeeded(species, videos);
}

const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

/**
 * Writers read a handful of rows by index, in statements that take longer to plan than to run. So generic plans are
 * kept, and plans use the indexes also before PostgreSQL has gathered statistics.
 */
const begin = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/** A writer that needs more locks writes alone: PostgreSQL has room for a few thousand of all connections. */
export const maxLocks = 200;

/** Returns the statements that open a transaction and take the locks, for one round trip. */
export function beginWithLocks({ videos, species, ancestors, isAlone }: WriterLocks): string {
  if (isAlone) return `${begin}; SELECT pg_advisory_xact_lock(${lockClasses.visitRule}, 0)`;
  const calls = [`pg_advisory_xact_lock_shared(${lockClasses.visitRule}, 0)`];
  for (const video of ascending(videos))
    calls.push(`pg_advisory_xact_lock(${lockClasses.recording}, ${video})`);
  for (const id of ascending(new Set([...species, ...ancestors]))) {
    calls.push(`pg_advisory_xact_lock${species.has(id) ? '' : '_shared'}(${lockClasses.species}, ${id})`);
  }
  return `${begin}; SELECT ${calls.join(', ')}`;
}

/** Opens a transaction in which no one else writes recordings or visits. */
export const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(${lockClasses.visitRule}, 0)`;
