import { replaceLostPictures } from '../species/own-pictures.store.js';
import { cover } from '../visits/interval.js';
import { maintainVisits, SpeciesMerged, type WriterScope } from '../visits/maintain-visits.js';
import { keepCorrections } from './keep-corrections.js';
import { moveFile } from './media.store.js';
import { toAdded, toStored, visitsOfAdded } from './place-detections.js';
import { upsertEvents } from './recording-events.js';
import { contentHash, recordingLock } from './recording-key.js';
import type { PostedRecording, StoredRow } from './recording-types.js';
import {
  clearDetections,
  findByKey,
  type KnownRecording,
  listStored,
  writeRecording,
} from './recordings.store.js';
import { areNamesKnown, type ResolvedPost, resolvePosted } from './resolve-posted.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** What became of a post. */
export interface PostResult {
  readonly videoId: number;
  readonly created: boolean;
  /** A person deleted this recording; nothing was stored. */
  readonly deleted: boolean;
  readonly detections: number;
  /** Detections below the least confidence, which are not stored. */
  readonly dropped: number;
  readonly visitIds: readonly number[];
}

/** How a recording is stored. */
export interface PostOptions {
  /** Whether a recording that is stored under the key stays as it is. */
  readonly onlyNew?: boolean;
  /** The id that a new recording shall have, which nobody else may take; one of the sequence without it. */
  readonly id?: number | undefined;
  /** Of who waits for the answer: a post whose turn comes after it has fired is not stored. */
  readonly signal?: AbortSignal;
  /** Writes what else is known of a new recording, in its transaction. */
  readonly alsoWrite?: (scope: Pick<WriterScope, 'client' | 'send'>, videoId: number) => void;
}

/** What is asked of one post. */
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

type Outcome = Omit<PostResult, 'dropped'>;

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

function unchanged(known: KnownRecording): Outcome {
  const { id, detectionCount, visitIds, isDeleted } = known;
  if (isDeleted) return { videoId: id, created: false, deleted: true, detections: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, visitIds };
}

/** Under the key of a recording that was taken for new there is one, or was. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
  readonly known: KnownRecording;

  constructor(known: KnownRecording) {
    super('the key is taken');
    this.known = known;
  }
}

/** Writes detections and visits under the locks; `stored` is what the recording held before. */
async function write(
  scope: WriterScope,
  upsert: Upsert,
  looked: Promise<KnownRecording>,
  stored: readonly StoredRow[],
): Promise<Outcome> {
  const { recording, post, hash, requestId } = upsert;
  const rows = stored.length ? keepCorrections(post.detections, stored) : post.detections;
  const added = toAdded(recording, rows);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added, guard: looked });
  const known = await looked;
  if (stored.length) clearDetections(scope, known.id);
  if (known.isStored && known.start !== recording.start) moveFile(scope, known.id, recording.start);
  const visitsOfRows = visitsOfAdded(added, maintained);
  const visitIds = [...new Set(visitsOfRows)].sort((a, b) => a - b);
  const speciesIds = [...rows, ...stored].map((row) => row.speciesId);
  const created = !known.isStored;
  const result = { videoId: known.id, created, detections: rows.length, visitIds };
  const { visits } = maintained;
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
  scope.publish(...upsertEvents({ ...result, recording, speciesIds, visits, requestId }, scope.tree));
  if (created) upsert.alsoWrite?.(scope, known.id);
  const { start, end } = cover([recording, ...(created ? [] : [known]), ...maintained.touched]);
  scope.changed({ kind: 'recordings', from: start, to: end });
  // Crops go with the detections that were there before.
  if (stored.length) for (const kind of await replaceLostPictures(scope.client)) scope.changed({ kind });
  return { ...result, deleted: false };
}

async function requireFreeKey({ client }: WriterScope, { recording, id }: Upsert): Promise<KnownRecording> {
  const known = await findByKey(client, recording);
  if (known.isStored || known.isDeleted) throw new KeyTaken(known);
  return { ...known, id: id ?? known.id };
}

/** Nearly every post is of a new recording: what is known of its key is asked together with what is beside it. */
function add(scope: WriterScope, upsert: Upsert): Promise<Outcome> {
  const looked = requireFreeKey(scope, upsert);
  // When the visits cannot be known either, theirs is the failure to tell.
  looked.catch(() => undefined);
  return write(scope, upsert, looked, []);
}

/** A recording that is known is looked at again under its lock, for another post may have come in between. */
async function replace(scope: WriterScope, upsert: Upsert): Promise<Outcome> {
  const known = await findByKey(scope.client, upsert.recording);
  if (isSettled(known, upsert.hash)) return unchanged(known);
  return write(scope, upsert, Promise.resolve(known), await listStored(scope.client, known.id));
}

async function upsertOnce(
  resources: WriterResources,
  recording: PostedRecording,
  requestId: string,
  { onlyNew = false, id, signal, alsoWrite }: PostOptions,
): Promise<Outcome & { readonly dropped: number }> {
  const { pool, directory } = resources;
  const settings = await resources.settings.current();
  // Names that nobody has met become species, but not those of a recording that a person deleted.
  if (!areNamesKnown(recording, settings, await directory.tree())) {
    const known = await findByKey(pool, recording);
    if (known.isDeleted) return { ...unchanged(known), dropped: 0 };
  }
  const post = await resolvePosted(recording, settings, directory);
  const postedJson = JSON.stringify(post.detections);
  const hash = contentHash(recording, postedJson);
  const upsert = { recording, post, postedJson, hash, requestId, id, alsoWrite };
  const locks = {
    videos: [recordingLock(recording.cameraId, recording.videoPath)],
    species: post.detections.map((detection) => detection.speciesId),
    signal,
  };
  const inTransaction = (work: typeof add) =>
    inWriterTransaction(resources, locks, (scope) => work(scope, upsert));
  const outcome = await inTransaction(add).catch((error: unknown) => {
    if (!(error instanceof KeyTaken)) throw error;
    const { known } = error;
    return onlyNew || isSettled(known, hash) ? unchanged(known) : inTransaction(replace);
  });
  return { ...outcome, dropped: outcome.deleted ? 0 : post.dropped };
}

/**
 * Stores a recording under its key (camera, path): new, the same again, or with other content. Answers after the
 * commit; visits, rollups, counters and events are in the same transaction.
 */
export async function postRecording(
  resources: WriterResources,
  recording: PostedRecording,
  requestId: string,
  options: PostOptions = {},
): Promise<PostResult> {
  const upsert = () => upsertOnce(resources, recording, requestId, options);
  return upsert().catch((error: unknown) => {
    if (error instanceof SpeciesMerged) return upsert();
    throw error;
  });
}
