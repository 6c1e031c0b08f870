import { type ChangeNotifier, isTransient } from '@birdhub/shared/db';
import { commit } from '@birdhub/shared/outbox';
import type { Clock } from '@birdhub/shared/time';
import type { LimitFunction } from 'p-limit';
import type pg from 'pg';
import type { SettingsReader } from '../settings/settings-reader.js';
import type { SpeciesDirectory, SpeciesTree } from '../species/directory.js';
import { beginWithLocks, LocksNeededError, maxLocks, type WriterLocks } from '../visits/locks.js';
import { SpeciesMergedError, StaleTreeError, type WriterScope } from '../visits/maintain.js';
import type { Interval } from '../visits/rule.js';
import type { VisitIds } from '../visits/visits.store.js';
import type { CameraLimit } from './camera-limit.js';
import type { PostQueue } from './post-queue.js';

/** Dependencies of a transaction that writes recordings. */
export interface TransactionDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
  readonly visitIds: VisitIds;
  /**
   * Limits concurrent writers. Writers of one species wait for each other anyway and hold a connection meanwhile; four
   * writers are as fast as a hundred, with a lower maximum latency.
   */
  readonly limit: LimitFunction;
}

/** Dependencies of the functions that write recordings. */
export interface WriterDeps extends TransactionDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
  /** Posts that are written in groups. */
  readonly posts: PostQueue;
  readonly cameras: CameraLimit;
}

/** The locks with which a transaction starts. */
export interface LockRequest {
  readonly videos: Iterable<number>;
  readonly species: Iterable<number>;
  /** Fires when the caller disconnects; work that is still queued is then not started. */
  readonly signal?: AbortSignal | undefined;
}

/** For work on rows of `video` only, which row locks serialise. */
export const noLocks: LockRequest = { videos: [], species: [] };

const maxAttempts = 8;
/** After this many attempts, work that still needs further locks runs exclusively. */
const maxConcurrentAttempts = 4;

/** Repeats `attempt`, which resolves species by name, once when one of the species was merged meanwhile. */
export function retryWhenMerged<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof SpeciesMergedError) return attempt();
    throw error;
  });
}

/**
 * Runs `work` in a transaction under the locks of its recordings and species. Work is rolled back and retried only here,
 * in {@link retryWhenMerged} and in the post queue:
 *
 * | thrown | reason | reaction |
 * |---|---|---|
 * | `LocksNeededError` | the work found recordings or species that are not locked | retries with these locks too, exclusively from the fifth attempt on |
 * | `StaleTreeError` | the cached species tree is older than the visits | reads the tree again and retries |
 * | a transient database error | a conflict with another transaction | retries unchanged |
 * | `KeysTakenError` | some recordings of a group already exist | the post queue writes these separately from the others |
 * | `SpeciesMergedError` | a species was merged after the preparation | {@link retryWhenMerged} prepares once more and retries |
 *
 * The first three are handled here, in at most eight attempts.
 */
export async function inWriterTransaction<T>(
  { pool, notifier, directory, visitIds, limit }: TransactionDeps,
  request: LockRequest,
  work: (scope: WriterScope) => Promise<T>,
): Promise<T> {
  const videos = new Set(request.videos);
  const species = new Set(request.species);
  for (let attempt = 1; ; attempt += 1) {
    const tree = await directory.tree();
    const locks = locksFor(videos, species, tree, attempt);
    try {
      return await limit(async () => {
        request.signal?.throwIfAborted();
        const begin = beginWithLocks(locks);
        const deps = { pool, notifier };
        return commit(deps, (transaction) => work({ ...transaction, tree, locks, visitIds }), begin);
      });
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      if (error instanceof LocksNeededError) {
        for (const id of error.species) species.add(id);
        for (const lock of error.videos) videos.add(lock);
      } else if (error instanceof StaleTreeError) directory.forget();
      else if (!isTransient(error)) throw error;
    }
  }
}

function locksFor(
  videos: ReadonlySet<number>,
  species: ReadonlySet<number>,
  tree: SpeciesTree,
  attempt: number,
): WriterLocks {
  const ancestors = new Set([...species].flatMap((id) => tree.ancestorsOf(id)));
  const isExclusive =
    attempt > maxConcurrentAttempts || videos.size + species.size + ancestors.size > maxLocks;
  return { videos, species, ancestors, isExclusive };
}

/** Announces a change of recordings or visits in a span. */
export function announceRecordings(
  { changed }: Pick<WriterScope, 'changed'>,
  { start, end }: Interval,
): void {
  changed({ kind: 'recordings', from: start, to: end });
}
