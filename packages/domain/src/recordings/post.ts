import { type MaintainedVisits, maintainVisits, type WriterScope } from '../visits/maintain.js';
import type { AddedDetection } from '../visits/plan.js';
import { mergeIntervals } from '../visits/rule.js';
import { moveFileCounts, replacePictures } from './media.js';
import {
  areNamesKnown,
  keepCorrections,
  type Repetition,
  type ResolvedPost,
  resolvePosted,
} from './posted-detections.js';
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
  writeFavorite,
  writeRecordings,
} from './recordings.store.js';
import { announceRecordings, retryWhenMerged, type WriterDeps } from './writer-transaction.js';

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
export interface PostOptions extends Repetition {
  /** Whether an existing recording with the same key is left unchanged. */
  readonly onlyNew?: boolean;
  /** Whether a post whose detections are all dropped fails with {@link NothingToStoreError}. */
  readonly needsDetections?: boolean;
  /** Id of a new recording, which must not be in use; default: the next one of the sequence. */
  readonly id?: number | undefined;
  /** Whether a new recording is a favourite. */
  readonly isFavorite?: boolean | undefined;
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
 * @throws NothingToStoreError, HubError invalid_request when the hub has too many cameras
 */
export function postRecording(
  deps: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions = {},
): Promise<PostResult> {
  return retryWhenMerged(async () => {
    await deps.cameras.require(recording.cameraId);
    const settings = await deps.settings.current();
    // Unknown names become species, but not when a person has deleted the recording.
    if (!areNamesKnown(recording, settings, await deps.directory.tree())) {
      const known = await findByKey(deps.pool, recording);
      if (known.isDeleted) return unchanged(known, 0);
    }
    const resolved = await resolvePosted(recording, settings, deps.directory);
    if (options.needsDetections && !resolved.detections.length)
      throw new NothingToStoreError(resolved.dropped);
    return deps.posts.write(prepare(recording, resolved, requestId, options));
  });
}

/** A post with resolved species, ready to be queued. */
export interface PreparedPost extends ResolvedPost {
  readonly recording: PostedRecording;
  /** The detections as JSON. */
  readonly detectionsJson: string;
  /** The digest of the post. */
  readonly hash: Buffer;
  readonly requestId: string;
  readonly options: PostOptions;
  /** Its advisory lock. */
  readonly lock: number;
  readonly species: ReadonlySet<number>;
}

function prepare(
  recording: PostedRecording,
  { detections, dropped }: ResolvedPost,
  requestId: string,
  options: PostOptions,
): PreparedPost {
  const detectionsJson = JSON.stringify(detections);
  return {
    recording,
    detections,
    dropped,
    detectionsJson,
    hash: contentHash(recording, detectionsJson),
    requestId,
    options,
    lock: recordingLock(recording.cameraId, recording.videoPath),
    species: new Set(detections.map(({ speciesId }) => speciesId)),
  };
}

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

/**
 * Returns the result of a post that changes nothing, because the recording was deleted, has the same content, or must
 * not be replaced; undefined for other posts.
 */
export function settle(
  known: KnownRecording,
  { hash, dropped, options }: PreparedPost,
): PostResult | undefined {
  return options.onlyNew || isSettled(known, hash) ? unchanged(known, dropped) : undefined;
}

function unchanged({ id, detectionCount, visitIds, isDeleted }: KnownRecording, dropped: number): PostResult {
  if (isDeleted)
    return { videoId: id, created: false, deleted: true, detections: 0, dropped: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, dropped, visitIds };
}

/** Thrown when recordings that were assumed to be new already exist or were deleted. */
export class KeysTakenError extends Error {
  override readonly name = 'KeysTakenError';
  readonly known: ReadonlyMap<PreparedPost, KnownRecording>;

  constructor(known: ReadonlyMap<PreparedPost, KnownRecording>) {
    super('recordings with these keys exist or were deleted');
    this.known = known;
  }
}

/**
 * Writes new recordings, which nearly all posts are: the keys are looked up in one round trip with the neighbouring
 * visits.
 * @throws KeysTakenError
 */
export function addRecordings(scope: WriterScope, posts: readonly PreparedPost[]): Promise<PostResult[]> {
  const known = requireFreeKeys(scope, posts);
  // When reading the visits fails as well, only that error is reported.
  known.catch(() => undefined);
  return write(scope, planNew(posts), known);
}

async function requireFreeKeys(
  { client }: WriterScope,
  posts: readonly PreparedPost[],
): Promise<KnownRecording[]> {
  const known = await findByKeys(
    client,
    posts.map(({ recording }) => recording),
  );
  const pairs = posts.flatMap((post, index) => {
    const found = known[index];
    return found ? [[post, found] as const] : [];
  });
  const taken = pairs.filter(([, { isStored, isDeleted }]) => isStored || isDeleted);
  if (taken.length) throw new KeysTakenError(new Map(taken));
  return pairs.map(([{ options }, free]) => ({ ...free, id: options.id ?? free.id }));
}

/** Replaces a stored recording. It is read again under its lock, because another post may have changed it. */
export async function replaceRecording(scope: WriterScope, post: PreparedPost): Promise<PostResult> {
  const known = await findByKey(scope.client, post.recording);
  if (isSettled(known, post.hash)) return unchanged(known, post.dropped);
  const stored = await listStored(scope.client, known.id);
  const [result] = await write(scope, [planRows(post, stored)], Promise.resolve([known]));
  if (!result) throw new Error('a replaced recording has no result');
  return result;
}

/** A post with the rows to write; those without an id have unique negative ones in `added`. */
interface PlannedPost {
  readonly post: PreparedPost;
  /** The previous detections of the recording. */
  readonly stored: readonly StoredRow[];
  readonly rows: readonly (ResolvedDetection & Partial<DetectionRow>)[];
  readonly added: readonly AddedDetection[];
}

function planRows(post: PreparedPost, stored: readonly StoredRow[], firstId = -1): PlannedPost {
  const rows = stored.length ? keepCorrections(post.detections, stored, post.options) : post.detections;
  return { post, stored, rows, added: toAdded(post.recording, rows, firstId) };
}

function planNew(posts: readonly PreparedPost[]): PlannedPost[] {
  let firstId = -1;
  return posts.map((post) => {
    const planned = planRows(post, [], firstId);
    firstId -= planned.rows.length;
    return planned;
  });
}

/** A planned post with the id of its recording and the visit of each row. */
interface WrittenPost extends PlannedPost {
  readonly known: KnownRecording;
  readonly visitIds: readonly number[];
}

/** Writes detections and visits of new recordings, or of an existing one, under the locks. */
async function write(
  scope: WriterScope,
  planned: readonly PlannedPost[],
  lookup: Promise<readonly KnownRecording[]>,
): Promise<PostResult[]> {
  const maintained = await maintainVisits(scope, {
    removed: planned.flatMap(({ post, stored }) => toStored(post.recording.cameraId, stored)),
    added: planned.flatMap(({ added }) => added),
    guard: lookup,
  });
  const found = await lookup;
  const written = planned.map((plan, index): WrittenPost => {
    const known = found[index];
    if (!known) throw new Error('the lookup has no result for a post');
    return { ...plan, known, visitIds: visitsOfAdded(plan.added, maintained) };
  });
  await writeRows(scope, written);
  announce(scope, written, maintained);
  for (const { post } of written) await post.options.beforeCommit?.();
  return written.map(toResult);
}

async function writeRows(scope: WriterScope, written: readonly WrittenPost[]): Promise<void> {
  for (const { post, stored, known } of written) {
    if (stored.length) clearDetections(scope, known.id);
    if (known.isStored && known.start !== post.recording.start)
      moveFileCounts(scope, known.id, post.recording.start);
  }
  writeRecordings(
    scope,
    written.map(({ post, stored, rows, known, visitIds }) => ({
      id: known.id,
      recording: post.recording,
      contentHash: post.hash,
      rowsJson: stored.length ? JSON.stringify(rows) : post.detectionsJson,
      visitIds,
      isNew: !known.isStored,
      addedCount: rows.length - stored.length,
    })),
  );
  for (const { post, known } of written) {
    if (known.isStored) continue;
    if (post.options.isFavorite) writeFavorite(scope, known.id);
    post.options.alsoWrite?.(scope, known.id);
  }
  // The crops of replaced detections are deleted with them.
  if (written.some(({ stored }) => stored.length)) await replacePictures(scope);
}

function announce(
  scope: WriterScope,
  written: readonly WrittenPost[],
  { visits, touched }: MaintainedVisits,
): void {
  // A visit that several of these recordings start or extend has one event, published with the first of them.
  const ownerOf = new Map<number, WrittenPost>();
  for (const writtenPost of written.toReversed())
    for (const id of writtenPost.visitIds) ownerOf.set(id, writtenPost);
  const ownVisits = (writtenPost: WrittenPost) =>
    visits.filter(({ id }) => (ownerOf.get(id) ?? written[0]) === writtenPost);
  for (const writtenPost of written) {
    const { post, stored, rows, visitIds } = writtenPost;
    const { recording, requestId } = post;
    const { videoId, created } = toResult(writtenPost);
    const speciesIds = [...rows, ...stored].map((row) => row.speciesId);
    const detections = rows.length;
    scope.publish(
      upsertEvent({ videoId, recording, created, detections, speciesIds, visitIds, requestId }),
      ...visitEvents(
        { videoId, mediaKind: mediaKindOfPosted(recording) },
        ownVisits(writtenPost),
        scope.tree,
        requestId,
      ),
    );
  }
  const recordings = written.flatMap(({ post, known }) => [
    post.recording,
    ...(known.isStored ? [known] : []),
  ]);
  for (const span of mergeIntervals([...recordings, ...touched], 0)) announceRecordings(scope, span);
}

function toResult({ post, rows, known, visitIds }: WrittenPost): PostResult {
  return {
    videoId: known.id,
    created: !known.isStored,
    deleted: false,
    detections: rows.length,
    dropped: post.dropped,
    visitIds: [...new Set(visitIds)].sort((a, b) => a - b),
  };
}
