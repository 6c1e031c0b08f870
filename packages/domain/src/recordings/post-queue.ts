import { translateDatabaseError } from '@birdhub/shared/db';
import { addRecordings, KeysTaken, type PostResult, replaceRecording, settle, type Upsert } from './post.js';
import { inWriterTransaction, type LockRequest, type WriterDeps } from './writer-transaction.js';

/** Limits of a group; a single post may exceed those of rows, which bound its locks, and of memory. */
const maxPosts = 32;
const maxRows = 120;
const maxCharacters = 1_000_000;

/** A post that waits, and its caller. */
interface Waiting {
  readonly post: Upsert;
  readonly resolve: (result: PostResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes posts that wait at the same time in one transaction: they share its round trips, its statements and its flush
 * to disk. A post never waits for others to come; while one group is written, the next one gathers.
 *
 * The outcome of a post does not depend on its group. A group that fails is rolled back, and each of its posts is
 * written alone; only when the database is not reachable or full all of them fail.
 */
class PostQueue {
  readonly #deps: Omit<WriterDeps, 'posts'>;
  readonly #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(deps: Omit<WriterDeps, 'posts'>) {
    this.#deps = deps;
  }

  /** Resolves after the commit. A post whose signal has fired before its transaction is not stored. */
  write(post: Upsert): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ post, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts a group when the requests that have arrived with this one were read, too. */
  #schedule(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => void this.#writeNext());
  }

  async #writeNext(): Promise<void> {
    await this.#writeGroup(takeGroup(this.#waiting));
    this.#isBusy = false;
    if (this.#waiting.length) this.#schedule();
  }

  /** Never rejects: each post has its own result or error. */
  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const results = await inWriterTransaction(this.#deps, locksOf(group), async (scope) => {
        // A client that has gone will post again.
        const present = group.filter(({ post }) => !post.options.signal?.aborted);
        if (!present.length) return new Map<Waiting, PostResult>();
        const added = await addRecordings(
          scope,
          present.map(({ post }) => post),
        );
        return new Map(present.map((waiting, index) => [waiting, added[index]]));
      });
      for (const waiting of group) {
        const result = results.get(waiting);
        if (result) waiting.resolve(result);
        else waiting.reject(waiting.post.options.signal?.reason);
      }
    } catch (error) {
      if (error instanceof KeysTaken) await this.#writeKnown(group, error);
      else if (group.length === 1 || isUnavailable(error)) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((waiting) => this.#writeGroup([waiting])));
    }
  }

  /** Settles or replaces what is stored already, and writes the rest. */
  async #writeKnown(group: readonly Waiting[], { known: taken }: KeysTaken): Promise<void> {
    const fresh: Waiting[] = [];
    const replacements: Promise<void>[] = [];
    for (const waiting of group) {
      const { post, resolve, reject } = waiting;
      const known = taken.get(post);
      if (!known) {
        fresh.push(waiting);
        continue;
      }
      const settled = settle(known, post);
      if (settled) resolve(settled);
      else replacements.push(this.#replace(waiting).then(resolve, reject));
    }
    if (fresh.length) await this.#writeGroup(fresh);
    await Promise.all(replacements);
  }

  #replace({ post }: Waiting): Promise<PostResult> {
    const request = { ...locksOf([{ post }]), signal: post.options.signal };
    return inWriterTransaction(this.#deps, request, (scope) => replaceRecording(scope, post));
  }
}

export type { PostQueue };

/** Creates the queue of one writer. */
export function createPostQueue(deps: Omit<WriterDeps, 'posts'>): PostQueue {
  return new PostQueue(deps);
}

/** Takes the posts that were first to come, of different recordings, up to the limits. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const locks = new Set<number>();
  let rows = 0;
  let characters = 0;
  for (const { post } of waiting) {
    rows += post.post.detections.length;
    characters += post.postedJson.length;
    const isFull = locks.size === maxPosts || rows > maxRows || characters > maxCharacters;
    // What is done before a commit keeps no other post waiting in its transaction.
    const isAlone = post.options.beforeCommit !== undefined;
    if (locks.size && (isFull || isAlone || locks.has(post.lock))) break;
    locks.add(post.lock);
    if (isAlone) break;
  }
  return waiting.splice(0, locks.size);
}

function locksOf(group: readonly Pick<Waiting, 'post'>[]): LockRequest {
  return {
    videos: group.map(({ post }) => post.lock),
    species: group.flatMap(({ post }) => [...post.species]),
  };
}

/** Whether each of the posts would fail for the same reason. */
function isUnavailable(error: unknown): boolean {
  const code = translateDatabaseError(error)?.code;
  return code === 'database_unavailable' || code === 'storage_full';
}
