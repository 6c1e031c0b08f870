import { translateDatabaseError } from '@birdhub/shared/db';
import {
  addRecordings,
  KeysTakenError,
  type PostResult,
  type PreparedPost,
  replaceRecording,
  settle,
} from './post.js';
import { inWriterTransaction, type LockRequest, type TransactionDeps } from './writer-transaction.js';

/** Limits of a group. A single post may exceed those of rows, which limit the number of locks, and of characters. */
const maxPosts = 32;
const maxRows = 120;
const maxCharacters = 1_000_000;

/** A queued post and the promise of its caller. */
interface QueuedPost {
  readonly post: PreparedPost;
  readonly resolve: (result: PostResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes queued posts in one transaction: they share its round trips, its statements and its flush to disk. A post
 * never waits for others to arrive; while one group is being written, the next one is collected.
 *
 * The outcome of a post does not depend on its group. A failed group is rolled back and its posts are written one by
 * one; all of them fail only when the database is unreachable or full.
 */
export class PostQueue {
  readonly #deps: TransactionDeps;
  readonly #queue: QueuedPost[] = [];
  #isBusy = false;

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
  }

  /** Resolves after the commit. A post whose signal fires before its transaction is not stored. */
  write(post: PreparedPost): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ post, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts a group after all requests that arrived together with this one have been read. */
  #schedule(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => void this.#writeNext());
  }

  async #writeNext(): Promise<void> {
    await this.#writeGroup(takeGroup(this.#queue));
    this.#isBusy = false;
    if (this.#queue.length) this.#schedule();
  }

  /** Never rejects: each post has its own result or error. */
  async #writeGroup(group: readonly QueuedPost[]): Promise<void> {
    try {
      const results = await inWriterTransaction(this.#deps, locksOf(group), async (scope) => {
        // A disconnected client will post again.
        const present = group.filter(({ post }) => !post.options.signal?.aborted);
        if (!present.length) return new Map<QueuedPost, PostResult>();
        const added = await addRecordings(
          scope,
          present.map(({ post }) => post),
        );
        return new Map(present.map((queued, index) => [queued, added[index]]));
      });
      for (const queued of group) {
        const result = results.get(queued);
        if (result) queued.resolve(result);
        else queued.reject(queued.post.options.signal?.reason);
      }
    } catch (error) {
      if (error instanceof KeysTakenError) await this.#writeKnown(group, error);
      else if (group.length === 1 || isUnavailable(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((queued) => this.#writeGroup([queued])));
    }
  }

  /** Settles or replaces recordings that already exist, and writes the others. */
  async #writeKnown(group: readonly QueuedPost[], { known: taken }: KeysTakenError): Promise<void> {
    const fresh: QueuedPost[] = [];
    const replacements: Promise<void>[] = [];
    for (const queued of group) {
      const { post, resolve, reject } = queued;
      const known = taken.get(post);
      if (!known) {
        fresh.push(queued);
        continue;
      }
      const settled = settle(known, post);
      if (settled) resolve(settled);
      else replacements.push(this.#replace(queued).then(resolve, reject));
    }
    if (fresh.length) await this.#writeGroup(fresh);
    await Promise.all(replacements);
  }

  #replace({ post }: QueuedPost): Promise<PostResult> {
    const request = { ...locksOf([{ post }]), signal: post.options.signal };
    return inWriterTransaction(this.#deps, request, (scope) => replaceRecording(scope, post));
  }
}

/** Removes the oldest posts of different recordings from the queue, up to the limits. */
function takeGroup(queue: QueuedPost[]): QueuedPost[] {
  const locks = new Set<number>();
  let rows = 0;
  let characters = 0;
  for (const { post } of queue) {
    rows += post.detections.length;
    characters += post.detectionsJson.length;
    const isFull = locks.size === maxPosts || rows > maxRows || characters > maxCharacters;
    // Work before the commit must not delay other posts.
    const needsOwnGroup = post.options.beforeCommit !== undefined;
    if (locks.size && (isFull || needsOwnGroup || locks.has(post.lock))) break;
    locks.add(post.lock);
    if (needsOwnGroup) break;
  }
  return queue.splice(0, locks.size);
}

function locksOf(group: readonly Pick<QueuedPost, 'post'>[]): LockRequest {
  return {
    videos: group.map(({ post }) => post.lock),
    species: group.flatMap(({ post }) => [...post.species]),
  };
}

/** Returns whether all other posts would fail for the same reason. */
function isUnavailable(error: unknown): boolean {
  const code = translateDatabaseError(error)?.code;
  return code === 'database_unavailable' || code === 'storage_full';
}
