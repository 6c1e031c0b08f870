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

/** Dependencies of the functions that write recordings. */
export interface WriterDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
  readonly visitIds: VisitIds;
  /**
   * Limits concurrent writers. Writers of one species wait for each other anyway and hold a connection meanwhile: four
   * are as fast as a hundred, with a lower maximum latency.
   */
  readonly limit: LimitFunction;
  /** Posts that are written in groups. */
  readonly posts: PostQueue;
}

/** The initial locks of a transaction. */
export interface LockRequest {
  readonly videos: Iterable<number>;
  readonly species: Iterable<number>;
  /** Fires when the caller disconnects; work that is still queued is then not started. */
  readonly signal?: AbortSignal | undefined;
}

/** For work on rows of `video` only, which row locks serialise. */
export const noLocks: LockRequest = { videos: [], species: [] };

/** Work in a transaction of a writer; it may run several times. */
export type WriterWork<T> = (scope: WriterScope) => Promise<T>;

/** A result that does not need a transaction. */
interface Done<T> {
  readonly result: T;
}

/** Work that was prepared before its transaction. */
export interface PreparedWork<T> extends LockRequest {
  readonly work: WriterWork<T>;
}

const maxAttempts = 8;
/** After this many attempts, work that still needs further locks runs exclusively. */
const maxConcurrentAttempts = 4;

/**
 * Prepares work and runs it in a transaction under the locks of its recordings and species. Work is rolled back and
 * retried only here, in {@link inWriterTransaction} and in the post queue:
 *
 * | thrown | because | then |
 * |---|---|---|
 * | `LocksNeeded` | it found recordings or species that it has not locked | locks these too; runs exclusively from the fifth attempt on |
 * | `StaleTree` | the cached species tree is older than the visits | reads the tree again |
 * | a transient database error | it conflicted with another transaction | retries unchanged |
 * | `KeysTaken` | some recordings of a group exist already | the post queue writes the others, and these separately |
 * | `SpeciesMerged` | a species was merged after the preparation | prepares again, once |
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

/** Retries `attempt`, which resolves species by name, once when one of them was merged meanwhile. */
export function againWhenMerged<T>(attempt: () => Promise<T>): Promise<T> {
  return attempt().catch((error: unknown) => {
    if (error instanceof SpeciesMerged) return attempt();
    throw error;
  });
}

/**
 * Runs `work` in a transaction under the locks of its recordings and species. Retries after `LocksNeeded`, `StaleTree`
 * and transient database errors, up to eight times.
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

/** Announces a change of recordings or visits in a span. */
export function announceRecordings(
  { changed }: Pick<WriterScope, 'changed'>,
  { start, end }: Interval,
): void {
  changed({ kind: 'recordings', from: start, to: end });
}
