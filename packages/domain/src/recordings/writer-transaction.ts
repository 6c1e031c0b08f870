import { isTransient } from '@birdhub/shared/db';
import { type CommitDeps, commit } from '@birdhub/shared/outbox';
import type { SpeciesTree } from '../species/species-tree.js';
import { StaleTree, type WriterScope } from '../visits/maintain-visits.js';
import { beginWithLocks, LocksNeeded, mostLocks, type WriterLocks } from '../visits/writer-locks.js';
import type { WriterResources } from './writer.js';

const mostAttempts = 8;
/** Work that still needs more after so many, as others keep changing what it is about, is let write alone. */
const attemptsBesideOthers = 4;

/** What a piece of writing asks to be locked at first. */
export interface LockRequest {
  readonly videos: Iterable<number>;
  readonly species: Iterable<number>;
  /** Of who waits for it: work whose turn comes after it has fired is not begun. */
  readonly signal?: AbortSignal | undefined;
}

/** Of work on rows of `video` alone. */
export const noLocks: LockRequest = { videos: [], species: [] };

function locksFor(
  videos: ReadonlySet<number>,
  species: ReadonlySet<number>,
  tree: SpeciesTree,
  attempt: number,
): WriterLocks {
  const ancestors = new Set([...species].flatMap((id) => tree.ancestorsOf(id)));
  const isAlone = attempt > attemptsBesideOthers || videos.size + species.size + ancestors.size > mostLocks;
  return { videos, species, ancestors, isAlone };
}

/**
 * Runs `work` in a transaction under the locks of its recordings and species. When the work finds that it needs
 * more locks, that the tree has changed, or that it met another transaction, it is rolled back and begun again, in
 * the end with nobody writing beside it.
 */
export async function inWriterTransaction<T>(
  {
    pool,
    notifier,
    directory,
    visitIds,
    limit,
  }: CommitDeps & Pick<WriterResources, 'directory' | 'visitIds' | 'limit'>,
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
      if (attempt === mostAttempts) throw error;
      if (error instanceof LocksNeeded) {
        for (const id of error.species) species.add(id);
        for (const lock of error.videos) videos.add(lock);
      } else if (error instanceof StaleTree) directory.forget();
      else if (!isTransient(error)) throw error;
    }
  }
}
