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
  againWhenMerged,
  announceRecordings,
  inWriterTransaction,
  type LockRequest,
  type WriterDeps,
} from './writer-transaction.js';

/** The effect of a post. */
export interface PostResult {
  readonly videoId: number;
  readonly created: boolean;
  /** A person deleted this recording; nothing was stored. */
  readonly deleted: boolean;
  readonly detections: number;
  /** Number of detections that are not stored: below the minimum confidence, or noise. */
  readonly dropped: number;
  readonly visitIds: readonly number[];
}

/** None of the detections of a post is stored, and the recording is nothing without them. */
export class NothingToStore extends Error {
  override readonly name = 'NothingToStore';
  readonly dropped: number;

  constructor(dropped: number) {
    super('no detection of the post is stored');
    this.dropped = dropped;
  }
}

/** How a recording is stored. */
export interface PostOptions {
  /** Whether a recording that is stored under the key stays as it is. */
  readonly onlyNew?: boolean;
  /** Whether nothing is to be stored when none of the detections is: {@link NothingToStore}. */
  readonly needsDetections?: boolean;
  /** Id for a new recording, which must be free; the next one of the sequence without it. */
  readonly id?: number | undefined;
  /** Fires when the caller disconnects: a post that is still queued then is not stored. */
  readonly signal?: AbortSignal;
  /** Writes more of a new recording, in its transaction. */
  readonly alsoWrite?: (scope: Pick<WriterScope, 'client' | 'send'>, videoId: number) => void;
  /**
   * Called last in the transaction, under the lock of the recording, when it is stored or changed; a failure rolls it
   * back. It may be called again when the transaction is repeated.
   */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Stores a recording under its key (camera, path): new, the same again, or with other content. Resolves after the
 * commit; visits, rollups, counters and events are in the same transaction, which other posts may share.
 * @throws NothingToStore
 */
export function postRecording(
  deps: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions = {},
): Promise<PostResult> {
  return againWhenMerged(async () => {
    const prepared = await preparePost(deps, recording, requestId, options);
    return 'result' in prepared ? prepared.result : deps.posts.write(prepared);
  });
}

/** One post, resolved. */
interface Upsert {
  readonly recording: PostedRecording;
  readonly post: ResolvedPost;
  /** The posted detections as JSON, and the digest of the whole. */
  readonly postedJson: string;
  readonly hash: Buffer;
  readonly requestId: string;
  readonly options: PostOptions;
  /** What it locks. */
  readonly lock: number;
  readonly species: ReadonlySet<number>;
}

async function preparePost(
  { pool, directory, settings: reader }: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions,
): Promise<Upsert | { readonly result: PostResult }> {
  const settings = await reader.current();
  // Unknown names become species, but not those of a recording that a person deleted.
  if (!areNamesKnown(recording, settings, await directory.tree())) {
    const known = await findByKey(pool, recording);
    if (known.isDeleted) return { result: unchanged(known, 0) };
  }
  const post = await resolvePosted(recording, settings, directory);
  if (options.needsDetections && !post.detections.length) throw new NothingToStore(post.dropped);
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
export class PostQueue {
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

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

/** Returns what a post leaves as it is: a deleted recording, and the same or any content when only new ones are wanted. */
function settle(known: KnownRecording, { hash, post, options }: Upsert): PostResult | undefined {
  return options.onlyNew || isSettled(known, hash) ? unchanged(known, post.dropped) : undefined;
}

function unchanged({ id, detectionCount, visitIds, isDeleted }: KnownRecording, dropped: number): PostResult {
  if (isDeleted)
    return { videoId: id, created: false, deleted: true, detections: 0, dropped: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, dropped, visitIds };
}

/** Recordings that were taken for new are stored under their keys, or were deleted. */
class KeysTaken extends Error {
  override readonly name = 'KeysTaken';
  readonly known: ReadonlyMap<Upsert, KnownRecording>;

  constructor(known: ReadonlyMap<Upsert, KnownRecording>) {
    super('keys are taken');
    this.known = known;
  }
}

/**
 * Writes new recordings. Nearly every post is of one: the keys are looked up in one round trip with the visits beside them.
 * @throws KeysTaken
 */
function addRecordings(scope: WriterScope, upserts: readonly Upsert[]): Promise<PostResult[]> {
  const known = requireFreeKeys(scope, upserts);
  // When reading the visits fails as well, that failure is reported.
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
  if (taken.length) throw new KeysTaken(new Map(taken));
  return pairs.map(([{ options }, free]) => ({ ...free, id: options.id ?? free.id }));
}

/** Replaces a stored recording. It is read again under its lock, as another post may have come in between. */
async function replaceRecording(scope: WriterScope, upsert: Upsert): Promise<PostResult> {
  const known = await findByKey(scope.client, upsert.recording);
  if (isSettled(known, upsert.hash)) return unchanged(known, upsert.post.dropped);
  const stored = await listStored(scope.client, known.id);
  const [result] = await write(scope, [{ upsert, stored }], Promise.resolve([known]));
  if (!result) throw new Error('a replaced recording has no result');
  return result;
}

/** A post that is written, and what its recording held before. */
interface Change {
  readonly upsert: Upsert;
  readonly stored: readonly StoredRow[];
}

/** Writes detections and visits under the locks: of new recordings, or of one that is stored. */
async function write(
  scope: WriterScope,
  changes: readonly Change[],
  lookUp: Promise<readonly KnownRecording[]>,
): Promise<PostResult[]> {
  const planned = planRows(changes);
  const maintained = await maintainVisits(scope, {
    removed: changes.flatMap(({ upsert, stored }) => toStored(upsert.recording.cameraId, stored)),
    added: planned.flatMap(({ added }) => added),
    guard: lookUp,
  });
  const known = await lookUp;
  const written = planned.map((plan, index): Written => {
    const before = known[index];
    if (!before) throw new Error('a post was not looked up');
    return { ...plan, known: before, visitOfRow: visitsOfAdded(plan.added, maintained) };
  });
  await writeRows(scope, written);
  announce(scope, written, maintained);
  for (const { upsert } of written) await upsert.options.beforeCommit?.();
  return written.map(toResult);
}

/** A change with the rows that are to be stored; those without an id have negative ones that no other row has. */
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
  // Crops of the detections of before are deleted with them.
  if (written.some(({ stored }) => stored.length)) await replacePictures(scope);
}

function announce(
  scope: WriterScope,
  written: readonly Written[],
  { visits, touched }: MaintainedVisits,
): void {
  // A visit that several of these recordings start or extend has one event, with the first of them.
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
