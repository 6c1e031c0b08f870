import { isUniqueViolation } from '../db/index.js';
import { cover, type Interval, maintainVisits, type WriterScope } from '../visits/index.js';
import { keepCorrections } from './keep-corrections.js';
import { placeRows, toAdded, toStored } from './place-detections.js';
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
import { type ResolvedPost, resolvePosted } from './resolve-posted.js';
import type { WriterDependencies } from './writer.js';
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
  /** By which a reader knows that it has heard of this; undefined when nothing changed. */
  readonly bell: string | undefined;
}

/** What is asked of one post, and what was known under its key before the locks were taken. */
interface Upsert {
  readonly recording: PostedRecording;
  readonly post: ResolvedPost;
  readonly hash: Buffer;
  readonly requestId: string;
  readonly known: KnownRecording;
}

type Outcome = Omit<PostResult, 'bell' | 'dropped'> & { readonly changed?: Interval };

const unreviewed = { id: undefined, originalSpeciesId: null, reviewed: false, reviewedAt: null } as const;

function isSettled(known: KnownRecording, hash: Buffer): boolean {
  return known.isDeleted || known.contentHash === hash.toString('hex');
}

function unchanged(known: KnownRecording): Outcome {
  const { id, detectionCount, visitIds, isDeleted } = known;
  if (isDeleted) return { videoId: id, created: false, deleted: true, detections: 0, visitIds: [] };
  return { videoId: id, created: false, deleted: false, detections: detectionCount, visitIds };
}

/** Writes detections and visits under the locks; `stored` is what the recording held before. */
async function write(scope: WriterScope, upsert: Upsert, stored: readonly StoredRow[]): Promise<Outcome> {
  const { recording, post, hash, requestId, known } = upsert;
  const rows = stored.length
    ? keepCorrections(post.detections, stored)
    : post.detections.map((row) => ({ ...row, ...unreviewed }));
  const added = toAdded(recording, rows);
  const maintained = await maintainVisits(scope, { removed: toStored(recording.cameraId, stored), added });
  if (stored.length) await clearDetections(scope.client, known.id);
  const placed = placeRows(rows, added, maintained);
  const visitIds = [...new Set(placed.map((row) => row.visitId))].sort((a, b) => a - b);
  const speciesIds = [...placed, ...stored].map((row) => row.speciesId);
  const created = !known.isStored;
  const result = { videoId: known.id, created, detections: placed.length, visitIds };
  await writeRecording(scope.client, {
    id: known.id,
    recording,
    contentHash: hash,
    rows: placed,
    counters: [
      { name: 'videos', value: created ? 1 : 0 },
      { name: 'detections', value: placed.length - stored.length },
      ...(recording.cameraId && created ? [{ name: `camera:${recording.cameraId}`, value: 1 }] : []),
    ],
    events: upsertEvents(
      { ...result, recording, speciesIds, visits: maintained.visits, requestId },
      scope.tree,
    ),
  });
  const changed = cover([recording, ...(created ? [] : [known]), ...maintained.touched]);
  return { ...result, deleted: false, changed };
}

/** A recording that is known is looked at again under its lock, for another post may have come in between. */
async function replace(scope: WriterScope, upsert: Upsert): Promise<Outcome> {
  const { cameraId, videoPath } = upsert.recording;
  const known = await findByKey(scope.client, cameraId, videoPath);
  if (isSettled(known, upsert.hash)) return unchanged(known);
  return write(scope, { ...upsert, known }, await listStored(scope.client, known.id));
}

async function upsertOnce(
  { pool, directory }: WriterDependencies,
  recording: PostedRecording,
  post: ResolvedPost,
  requestId: string,
): Promise<Outcome> {
  const { cameraId, videoPath } = recording;
  const known = await findByKey(pool, cameraId, videoPath);
  const hash = contentHash(recording, post.detections);
  if (isSettled(known, hash)) return unchanged(known);
  const upsert = { recording, post, hash, requestId, known };
  const locks = {
    videos: [recordingLock(cameraId, videoPath)],
    species: post.detections.map((detection) => detection.speciesId),
  };
  return inWriterTransaction(pool, directory, locks, (scope) =>
    known.isStored ? replace(scope, upsert) : write(scope, upsert, []),
  );
}

/**
 * Stores a recording under its key (camera, path): new, the same again, or with other content. Answers after the
 * commit; visits, rollups, counters and events are in the same transaction.
 */
export async function postRecording(
  dependencies: WriterDependencies,
  recording: PostedRecording,
  requestId: string,
): Promise<PostResult> {
  const { directory, settings, bell } = dependencies;
  const post = await resolvePosted(recording, await settings.current(), directory);
  const upsert = () => upsertOnce(dependencies, recording, post, requestId);
  const { changed, ...result } = await upsert().catch((error: unknown) => {
    // The same new recording was posted twice at once: it is known now.
    if (isUniqueViolation(error, 'video_camera_id_video_path_key')) return upsert();
    throw error;
  });
  const token = changed && bell.ring({ kind: 'recordings', from: changed.start, to: changed.end });
  return { ...result, dropped: post.dropped, bell: token };
}
