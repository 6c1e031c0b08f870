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
import { againWhenMerged, announceRecordings, type WriterDeps } from './writer-transaction.js';

/** The effect of a post. */
export interface PostResult {
  readonly videoId: number;
  readonly created: boolean;
  /** A person deleted this recording; nothing was stored. */
  readonly deleted: boolean;
  readonly detections: number;
  /** Number of detections below the minimum confidence, which are not stored. */
  readonly dropped: number;
  readonly visitIds: readonly number[];
}

/** How a recording is stored. */
export interface PostOptions {
  /** Whether a recording that is stored under the key stays as it is. */
  readonly onlyNew?: boolean;
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
export interface Upsert {
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

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

/** Returns what a post leaves as it is: a deleted recording, and the same or any content when only new ones are wanted. */
export function settle(known: KnownRecording, { hash, post, options }: Upsert): PostResult | undefined {
  return options.onlyNew || isSettled(known, hash) ? unchanged(known, post.dropped) : undefined;
}

function unchanged({ id, detectionCount, visitIds, isDeleted }: KnownRecording, dropped: number): PostResult {
  if (isDeleted)
    return { videoId: id, created: false, deleted: true, detections: 0, dropped: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, dropped, visitIds };
}

/** Recordings that were taken for new are stored under their keys, or were deleted. */
export class KeysTaken extends Error {
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
export function addRecordings(scope: WriterScope, upserts: readonly Upsert[]): Promise<PostResult[]> {
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
export async function replaceRecording(scope: WriterScope, upsert: Upsert): Promise<PostResult> {
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
