import { maintainVisits, type WriterScope } from '../visits/maintain.js';
import { cover } from '../visits/rule.js';
import { moveFile, replacePictures } from './media.js';
import { areNamesKnown, keepCorrections, type ResolvedPost, resolvePosted } from './posted-detections.js';
import {
  contentHash,
  type PostedRecording,
  recordingLock,
  type StoredRow,
  toAdded,
  toStored,
  upsertEvents,
  visitsOfAdded,
} from './recording.js';
import {
  clearDetections,
  findByKey,
  type KnownRecording,
  listStored,
  writeRecording,
} from './recordings.store.js';
import {
  announceRecordings,
  inPreparedTransaction,
  KeyTaken,
  type PreparedWork,
  type WriterDeps,
} from './writer-transaction.js';

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
}

/**
 * Stores a recording under its key (camera, path): new, the same again, or with other content. Resolves after the
 * commit; visits, rollups, counters and events are in the same transaction.
 */
export function postRecording(
  deps: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions = {},
): Promise<PostResult> {
  return inPreparedTransaction(deps, () => preparePost(deps, recording, requestId, options));
}

/** One post, resolved. */
interface Upsert {
  readonly recording: PostedRecording;
  readonly post: ResolvedPost;
  /** The posted detections as JSON, and the digest of the whole. */
  readonly postedJson: string;
  readonly hash: Buffer;
  readonly requestId: string;
  readonly id: number | undefined;
  readonly alsoWrite: PostOptions['alsoWrite'];
}

async function preparePost(
  deps: WriterDeps,
  recording: PostedRecording,
  requestId: string,
  { onlyNew = false, id, signal, alsoWrite }: PostOptions,
): Promise<PreparedWork<PostResult> | { readonly result: PostResult }> {
  const { pool, directory } = deps;
  const settings = await deps.settings.current();
  // Unknown names become species, but not those of a recording that a person deleted.
  if (!areNamesKnown(recording, settings, await directory.tree())) {
    const known = await findByKey(pool, recording);
    if (known.isDeleted) return { result: unchanged(known, 0) };
  }
  const post = await resolvePosted(recording, settings, directory);
  const postedJson = JSON.stringify(post.detections);
  const hash = contentHash(recording, postedJson);
  const upsert = { recording, post, postedJson, hash, requestId, id, alsoWrite };
  return {
    videos: [recordingLock(recording.cameraId, recording.videoPath)],
    species: post.detections.map((detection) => detection.speciesId),
    signal,
    work: (scope) => add(scope, upsert),
    onKeyTaken: (known) =>
      onlyNew || isSettled(known, hash)
        ? { result: unchanged(known, post.dropped) }
        : { work: (scope) => replace(scope, upsert) },
  };
}

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

function unchanged({ id, detectionCount, visitIds, isDeleted }: KnownRecording, dropped: number): PostResult {
  if (isDeleted)
    return { videoId: id, created: false, deleted: true, detections: 0, dropped: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, dropped, visitIds };
}

/** Nearly every post is of a new recording: its key is looked up in one round trip with the visits beside it. */
function add(scope: WriterScope, upsert: Upsert): Promise<PostResult> {
  const known = requireFreeKey(scope, upsert);
  // When reading the visits fails as well, that failure is reported.
  known.catch(() => undefined);
  return write(scope, upsert, known, []);
}

/** @throws KeyTaken */
async function requireFreeKey({ client }: WriterScope, { recording, id }: Upsert): Promise<KnownRecording> {
  const known = await findByKey(client, recording);
  if (known.isStored || known.isDeleted) throw new KeyTaken(known);
  return { ...known, id: id ?? known.id };
}

/** A stored recording is read again under its lock, as another post may have come in between. */
async function replace(scope: WriterScope, upsert: Upsert): Promise<PostResult> {
  const known = await findByKey(scope.client, upsert.recording);
  if (isSettled(known, upsert.hash)) return unchanged(known, upsert.post.dropped);
  return write(scope, upsert, Promise.resolve(known), await listStored(scope.client, known.id));
}

/** Writes detections and visits under the locks; `stored` is what the recording held before. */
async function write(
  scope: WriterScope,
  upsert: Upsert,
  lookUp: Promise<KnownRecording>,
  stored: readonly StoredRow[],
): Promise<PostResult> {
  const { recording, post, hash, requestId } = upsert;
  const rows = stored.length ? keepCorrections(post.detections, stored) : post.detections;
  const added = toAdded(recording, rows);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added, guard: lookUp });
  const known = await lookUp;
  if (stored.length) clearDetections(scope, known.id);
  if (known.isStored && known.start !== recording.start) moveFile(scope, known.id, recording.start);
  const visitsOfRows = visitsOfAdded(added, maintained);
  const created = !known.isStored;
  writeRecording(scope, {
    id: known.id,
    recording,
    contentHash: hash,
    rowsJson: stored.length ? JSON.stringify(rows) : upsert.postedJson,
    isInherited: rows.some((row) => 'inheritsFrom' in row && row.inheritsFrom !== undefined),
    visitIds: visitsOfRows,
    counters: [
      { name: 'videos', value: created ? 1 : 0 },
      { name: 'detections', value: rows.length - stored.length },
      ...(recording.cameraId && created ? [{ name: `camera:${recording.cameraId}`, value: 1 }] : []),
    ],
  });
  if (created) upsert.alsoWrite?.(scope, known.id);
  const visitIds = [...new Set(visitsOfRows)].sort((a, b) => a - b);
  const result = { videoId: known.id, created, detections: rows.length, visitIds };
  const speciesIds = [...rows, ...stored].map((row) => row.speciesId);
  const { visits, touched } = maintained;
  scope.publish(...upsertEvents({ ...result, recording, speciesIds, visits, requestId }, scope.tree));
  announceRecordings(scope, cover([recording, ...(created ? [] : [known]), ...touched]));
  // Crops of the detections of before are deleted with them.
  if (stored.length) await replacePictures(scope);
  return { ...result, deleted: false, dropped: post.dropped };
}
