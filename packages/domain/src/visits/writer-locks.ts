import { lockClasses } from '@birdhub/shared/db';

/** Who may change what beside whom; taken in one order by everybody, so that writers cannot block each other for ever. */
export interface WriterLocks {
  /** Hashes of the upsert keys of the recordings that are written. */
  readonly videos: ReadonlySet<number>;
  /** Species whose visits change. */
  readonly species: ReadonlySet<number>;
  /** Their ancestors, whose heard runs look at those visits; others may hold these as well. */
  readonly ancestors: ReadonlySet<number>;
  /** Whether nobody else writes meanwhile, which is as good as holding every lock. */
  readonly isAlone: boolean;
}

/** Says that the work needs locks it does not hold; it is rolled back and begun again with them. */
export class LocksNeeded extends Error {
  override readonly name = 'LocksNeeded';
  readonly species: readonly number[];
  readonly videos: readonly number[];

  constructor(species: readonly number[], videos: readonly number[] = []) {
    super('more must be locked');
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
 * Writers read a handful of rows by index, in statements that take longer to plan than to run: their plans are
 * kept, and are right from the first row on, before PostgreSQL has gathered any statistics.
 */
const begin = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/** With more locks than this a writer has to be alone: PostgreSQL holds a few thousand for all together. */
export const mostLocks = 200;

/** The statements that open a transaction and take the locks, for one round trip. */
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

/** Opens a transaction in which nobody else writes recordings or visits. */
export const beginAlone = `BEGIN; SELECT pg_advisory_xact_lock(${lockClasses.visitRule}, 0)`;
