import { translateDatabaseError } from '@birdhub/shared/db';
import { type MaintainedVisits, maintainVisits, type WriterScope } from '../visits/maintain.js';
import type { AddedDetection } from '../visits/plan.js';
import { mergeIntervals } from '../visits/rule.js';
import { moveFile, replacePictures } from './media.js';
import { areNamesKnown, keepCorrections, type ResolvedPost, resolvePosted } from './posted-detections.js';
import {
  contentHash,
  type DetectionRow,
  mediaKindOfPosted,
  type PostedRecording,
  type ResolvedDetection,
  recordingLock,
  type StoredRow,
  toAdded,
  toStored,
  upsertEvent,
  visitEvents,
  visitsOfAdded,
} from './recording.js';
import {
  clearDetections,
  findByKey,
  findByKeys,
  type KnownRecording,
  listStored,
  writeRecordings,
} from './recordings.store.js';
import {
  announceRecordings,
  inWriterTransaction,
  type LockRequest,
  retryWhenMerged,
  type WriterDeps,
} from './writer-transaction.js';

/** The effect of a post. */
export interface PostResult {
  readonly videoId: number;
  readonly created: boolean;
  /** Whether a person has deleted this recording; nothing was stored in that case. */
  readonly deleted: boolean;
  readonly detections: number;
  /** Number of detections that were dropped: below the minimum confidence, or noise. */
  readonly dropped: number;
  readonly visitIds: readonly number[];
}

/** Thrown when all detections of a post were dropped and the recording must have one. */
export class NothingToStoreError extends Error {
  override readonly name = 'NothingToStoreError';
  readonly dropped: number;

  constructor(dropped: number) {
    super('all detections of the post were dropped');
    this.dropped = dropped;
  }
}

/** Options of a post. */
export interface PostOptions {
  /** Whether an existing recording with the same key is left unchanged. */
  readonly onlyNew?: boolean;
  /** Whether a post whose detections are all dropped fails with {@link NothingToStoreError}. */
  readonly needsDetections?: boolean;
  /** Id of a new recording, which must not be in use; default: the next one of the sequence. */
  readonly id?: number | undefined;
  /** Fires when the caller disconnects; a post that is still queued is then dropped. */
  readonly signal?: AbortSignal;
  /** Writes further rows of a new recording in its transaction. */
  readonly alsoWrite?: (scope: Pick<WriterScope, 'client' | 'send'>, videoId: number) => void;
  /**
   * Called at the end of a transaction that stores or changes the recording, under its lock; a failure rolls back.
   * Called again when the transaction is retried.
   */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Creates or updates the recording with the key (camera, path). Resolves after the commit; visits, rollups, counters
 * and events are written in the same transaction, which other posts may share.
 * @throws NothingToStoreError
 */
export function postRecording(
  deps: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions = {},
): Promise<PostResult> {
  return retryWhenMerged(async () => {
    const settings = await deps.settings.current();
    // Unknown names become species, but not when a person has deleted the recording.
    if (!areNamesKnown(recording, settings, await deps.directory.tree())) {
      const known = await findByKey(deps.pool, recording);
      if (known.isDeleted) return unchanged(known, 0);
    }
    const post = await resolvePosted(recording, settings, deps.directory);
    if (options.needsDetections && !post.detections.length) throw new NothingToStoreError(post.dropped);
    return deps.posts.write(toUpsert(recording, post, requestId, options));
  });
}

/** A post with resolved species. */
interface Upsert {
  readonly recording: PostedRecording;
  readonly post: ResolvedPost;
  /** The posted detections as JSON. */
  readonly postedJson: string;
  /** The digest of the post. */
  readonly hash: Buffer;
  readonly requestId: string;
  readonly options: PostOptions;
  /** Its advisory lock. */
  readonly lock: number;
  readonly species: ReadonlySet<number>;
}

function toUpsert(
  recording: PostedRecording,
  post: ResolvedPost,
  requestId: string,
  options: PostOptions,
): Upsert {
  const postedJson = JSON.stringify(post.detections);
  return {
    recording,
    post,
    postedJson,
    hash: contentHash(recording, postedJson),
    requestId,
    options,
    lock: recordingLock(recording.cameraId, recording.videoPath),
    species: new Set(post.detections.map((detection) => detection.speciesId)),
  };
}

/** Limits of a group. A single post may exceed those of rows, which limit the number of locks, and of characters. */
const maxPosts = 32;
const maxRows = 120;
const maxCharacters = 1_000_000;

/** A queued post and the promise of its caller. */
interface QueuedPost {
  readonly post: Upsert;
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
  readonly #deps: Omit<WriterDeps, 'posts'>;
  readonly #queue: QueuedPost[] = [];
  #isBusy = false;

  constructor(deps: Omit<WriterDeps, 'posts'>) {
    this.#deps = deps;
  }

  /** Resolves after the commit. A post whose signal fires before its transaction is not stored. */
  write(post: Upsert): Promise<PostResult> {
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
    rows += post.post.detections.length;
    characters += post.postedJson.length;
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

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

/**
 * Returns the result of a post that changes nothing, because the recording was deleted, has the same content, or must
 * not be replaced; undefined for other posts.
 */
function settle(known: KnownRecording, { hash, post, options }: Upsert): PostResult | undefined {
  return options.onlyNew || isSettled(known, hash) ? unchanged(known, post.dropped) : undefined;
}

function unchanged({ id, detectionCount, visitIds, isDeleted }: KnownRecording, dropped: number): PostResult {
  if (isDeleted)
    return { videoId: id, created: false, deleted: true, detections: 0, dropped: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, dropped, visitIds };
}

/** Thrown when recordings that were assumed to be new already exist or were deleted. */
class KeysTakenError extends Error {
  override readonly name = 'KeysTakenError';
  readonly known: ReadonlyMap<Upsert, KnownRecording>;

  constructor(known: ReadonlyMap<Upsert, KnownRecording>) {
    super('recordings with these keys exist or were deleted');
    this.known = known;
  }
}

/**
 * Writes new recordings, which nearly all posts are: the keys are looked up in one round trip with the neighbouring
 * visits.
 * @throws KeysTakenError
 */
function addRecordings(scope: WriterScope, upserts: readonly Upsert[]): Promise<PostResult[]> {
  const known = requireFreeKeys(scope, upserts);
  // When reading the visits fails as well, only that error is reported.
  known.catch(() => undefined);
  return write(
    scope,
    upserts.map((upsert) => ({ upsert, stored: [] })),
    known,
  );
}

async function requireFreeKeys(
  { client }: WriterScope,
  upserts: readonly Upsert[],
): Promise<KnownRecording[]> {
  const known = await findByKeys(
    client,
    upserts.map(({ recording }) => recording),
  );
  const pairs = upserts.flatMap((upsert, index) => {
    const found = known[index];
    return found ? [[upsert, found] as const] : [];
  });
  const taken = pairs.filter(([, { isStored, isDeleted }]) => isStored || isDeleted);
  if (taken.length) throw new KeysTakenError(new Map(taken));
  return pairs.map(([{ options }, free]) => ({ ...free, id: options.id ?? free.id }));
}

/** Replaces a stored recording. It is read again under its lock, because another post may have changed it. */
async function replaceRecording(scope: WriterScope, upsert: Upsert): Promise<PostResult> {
  const known = await findByKey(scope.client, upsert.recording);
  if (isSettled(known, upsert.hash)) return unchanged(known, upsert.post.dropped);
  const stored = await listStored(scope.client, known.id);
  const [result] = await write(scope, [{ upsert, stored }], Promise.resolve([known]));
  if (!result) throw new Error('a replaced recording has no result');
  return result;
}

/** A post to be written, and the previous content of its recording. */
interface Change {
  readonly upsert: Upsert;
  readonly stored: readonly StoredRow[];
}

/** Writes detections and visits of new recordings, or of an existing one, under the locks. */
async function write(
  scope: WriterScope,
  changes: readonly Change[],
  lookup: Promise<readonly KnownRecording[]>,
): Promise<PostResult[]> {
  const planned = planRows(changes);
  const maintained = await maintainVisits(scope, {
    removed: changes.flatMap(({ upsert, stored }) => toStored(upsert.recording.cameraId, stored)),
    added: planned.flatMap(({ added }) => added),
    guard: lookup,
  });
  const known = await lookup;
  const written = planned.map((plan, index): Written => {
    const before = known[index];
    if (!before) throw new Error('the lookup has no result for a post');
    return { ...plan, known: before, visitOfRow: visitsOfAdded(plan.added, maintained) };
  });
  await writeRows(scope, written);
  announce(scope, written, maintained);
  for (const { upsert } of written) await upsert.options.beforeCommit?.();
  return written.map(toResult);
}

/** A change with its new rows; rows without an id have unique negative ones. */
interface Plan extends Change {
  readonly rows: readonly (ResolvedDetection & Partial<DetectionRow>)[];
  readonly added: readonly AddedDetection[];
}

interface Written extends Plan {
  readonly known: KnownRecording;
  /** The visit of each row. */
  readonly visitOfRow: readonly number[];
}

function planRows(changes: readonly Change[]): Plan[] {
  let firstId = -1;
  return changes.map(({ upsert, stored }) => {
    const { recording, post } = upsert;
    const rows = stored.length ? keepCorrections(post.detections, stored) : post.detections;
    const added = toAdded(recording, rows, firstId);
    firstId -= rows.length;
    return { upsert, stored, rows, added };
  });
}

async function writeRows(scope: WriterScope, written: readonly Written[]): Promise<void> {
  for (const { upsert, stored, known } of written) {
    if (stored.length) clearDetections(scope, known.id);
    if (known.isStored && known.start !== upsert.recording.start)
      moveFile(scope, known.id, upsert.recording.start);
  }
  writeRecordings(
    scope,
    written.map(({ upsert, stored, rows, known, visitOfRow }) => ({
      id: known.id,
      recording: upsert.recording,
      contentHash: upsert.hash,
      rowsJson: stored.length ? JSON.stringify(rows) : upsert.postedJson,
      visitIds: visitOfRow,
      isNew: !known.isStored,
      addedCount: rows.length - stored.length,
    })),
  );
  for (const { upsert, known } of written) {
    if (!known.isStored) upsert.options.alsoWrite?.(scope, known.id);
  }
  // The crops of replaced detections are deleted with them.
  if (written.some(({ stored }) => stored.length)) await replacePictures(scope);
}

function announce(
  scope: WriterScope,
  written: readonly Written[],
  { visits, touched }: MaintainedVisits,
): void {
  // A visit that several of these recordings start or extend has one event, published with the first of them.
  const ownerOf = new Map<number, Written>();
  for (const one of written.toReversed()) for (const id of one.visitOfRow) ownerOf.set(id, one);
  const ownVisits = (one: Written) => visits.filter(({ id }) => (ownerOf.get(id) ?? written[0]) === one);
  for (const one of written) {
    const { upsert, stored, rows, visitOfRow } = one;
    const { recording, requestId } = upsert;
    const { videoId, created } = toResult(one);
    const speciesIds = [...rows, ...stored].map((row) => row.speciesId);
    const detections = rows.length;
    scope.publish(
      upsertEvent({ videoId, recording, created, detections, speciesIds, visitIds: visitOfRow, requestId }),
      ...visitEvents(
        { videoId, mediaKind: mediaKindOfPosted(recording) },
        ownVisits(one),
        scope.tree,
        requestId,
      ),
    );
  }
  const recordings = written.flatMap(({ upsert, known }) => [
    upsert.recording,
    ...(known.isStored ? [known] : []),
  ]);
  for (const span of mergeIntervals([...recordings, ...touched], 0)) announceRecordings(scope, span);
}

function toResult({ upsert, rows, known, visitOfRow }: Written): PostResult {
  return {
    videoId: known.id,
    created: !known.isStored,
    deleted: false,
    detections: rows.length,
    dropped: upsert.post.dropped,
    visitIds: [...new Set(visitOfRow)].sort((a, b) => a - b),
  };
}
