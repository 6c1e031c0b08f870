import { type ChangeNotifier, isTransient } from '@birdhub/shared/db';
import { commit } from '@birdhub/shared/outbox';
import type { LimitFunction } from 'p-limit';
import type pg from 'pg';
import type { SettingsReader } from '../settings/settings.js';
import type { SpeciesDirectory, SpeciesTree } from '../species/directory.js';
import { beginWithLocks, LocksNeeded, maxLocks, type WriterLocks } from '../visits/locks.js';
import { SpeciesMerged, StaleTree, type WriterScope } from '../visits/maintain.js';
import type { Interval } from '../visits/rule.js';
import type { VisitIds } from '../visits/visits.store.js';
import type { PostQueue } from './post.js';

/** What the functions that write recordings work with. */
export interface WriterDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
  readonly visitIds: VisitIds;
  /**
   * Limits how many write at once. Writers of one species wait for each other anyway, and those that wait in the
   * database hold a connection: four are as fast as a hundred, and the slowest of them is faster.
   */
  readonly limit: LimitFunction;
  /** Posts that wait to be written together. */
  readonly posts: PostQueue;
}

/** What is locked at first. */
export interface LockRequest {
  readonly videos: Iterable<number>;
  readonly species: Iterable<number>;
  /** Fires when the caller disconnects: work that is still queued then is not started. */
  readonly signal?: AbortSignal | undefined;
}

/** For work on rows of `video` alone, which row locks order. */
export const noLocks: LockRequest = { videos: [], species: [] };

/** Work in a transaction of a writer; it may run several times. */
export type WriterWork<T> = (scope: WriterScope) => Promise<T>;

/** A result that needs no transaction. */
interface Done<T> {
  readonly result: T;
}

/** Work that was prepared before its transaction. */
export interface PreparedWork<T> extends LockRequest {
  readonly work: WriterWork<T>;
}

const maxAttempts = 8;
/** Work that needs more locks after so many attempts, as others keep changing what it is about, writes alone. */
const maxConcurrentAttempts = 4;

/**
 * Prepares work and runs it in a transaction under the locks of its recordings and species. This, {@link inWriterTransaction}
 * and the post queue are where work is rolled back and begun again, for one of these reasons:
 *
 * | thrown | because | then |
 * |---|---|---|
 * | `LocksNeeded` | it meets recordings or species that it has not locked | locks these too; writes alone from the fifth attempt on |
 * | `StaleTree` | the species tree in memory is older than the visits | reads the tree again |
 * | a transient database error | it met another transaction | runs again as it is |
 * | `KeysTaken` | recordings of a group of posts are not new | the post queue writes the others, and these by themselves |
 * | `SpeciesMerged` | a species that it was prepared with was merged since | prepares again, once |
 */
export async function inPreparedTransaction<T>(
  deps: WriterDeps,
  prepare: () => Promise<PreparedWork<T> | Done<T>>,
): Promise<T> {
  return againWhenMerged(async () => {
    const prepared = await prepare();
    return 'result' in prepared ? prepared.result : inWriterTransaction(deps, prepared, prepared.work);
  });
}

/** Runs `attempt`, which resolves species by their names, once more when one of them was merged meanwhile. */
export function againWhenMerged<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof SpeciesMerged) return attempt();
    throw error;
  });
}

/**
 * Runs `work` in a transaction under the locks of its recordings and species, again as long as it throws
 * `LocksNeeded`, `StaleTree` or a transient database error, at most eight times.
 */
export async function inWriterTransaction<T>(
  { pool, notifier, directory, visitIds, limit }: Omit<WriterDeps, 'settings' | 'posts'>,
  request: LockRequest,
  work: WriterWork<T>,
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
      if (error instanceof LocksNeeded) {
        for (const id of error.species) species.add(id);
        for (const lock of error.videos) videos.add(lock);
      } else if (error instanceof StaleTree) directory.forget();
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
  const isAlone = attempt > maxConcurrentAttempts || videos.size + species.size + ancestors.size > maxLocks;
  return { videos, species, ancestors, isAlone };
}

/** Announces that recordings or visits of a span have changed. */
export function announceRecordings(
  { changed }: Pick<WriterScope, 'changed'>,
  { start, end }: Interval,
): void {
  changed({ kind: 'recordings', from: start, to: end });
}
