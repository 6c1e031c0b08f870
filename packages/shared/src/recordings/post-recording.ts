import { maintainVisits, type WriterScope } from '../visits/index.js';
import { keepCorrections } from './keep-corrections.js';
import { placeRows, toAdded, toStored } from './place-detections.js';
import { upsertEvents } from './recording-events.js';
import { contentHash, recordingLock } from './recording-key.js';
import type { PostedRecording } from './recording-types.js';
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

interface Outcome extends Omit<PostResult, 'bell' | 'dropped'> {
  readonly changed: { readonly from: number; readonly to: number } | undefined;
}

function unchanged(known: KnownRecording): Outcome {
  const { id, detectionCount, visitIds, isDeleted } = known;
  const none = { videoId: id, created: false, changed: undefined };
  if (isDeleted) return { ...none, deleted: true, detections: 0, visitIds: [] };
  return { ...none, deleted: false, detections: detectionCount, visitIds };
}

async function write(
  scope: WriterScope,
  recording: PostedRecording,
  post: ResolvedPost,
  requestId: string,
): Promise<Outcome> {
  const known = await findByKey(scope.client, recording.cameraId, recording.videoPath);
  const hash = contentHash(recording, post.detections);
  if (known.isDeleted || known.contentHash === hash.toString('hex')) return unchanged(known);
  const stored = known.isStored ? await listStored(scope.client, known.id) : [];
  const rows = stored.length
    ? keepCorrections(post.detections, stored)
    : post.detections.map((row) => ({
        ...row,
        id: undefined,
        originalSpeciesId: null,
        reviewed: false,
        reviewedAt: null,
      }));
  const added = toAdded(recording, rows);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added });
  if (stored.length) await clearDetections(scope.client, known.id);
  const placed = placeRows(rows, added, maintained);
  const visitIds = [...new Set(placed.map((row) => row.visitId))].sort((a, b) => a - b);
  const isNew = !known.isStored;
  await writeRecording(scope.client, {
    id: known.id,
    recording,
    contentHash: hash,
    rows: placed,
    counters: [
      { name: 'videos', value: isNew ? 1 : 0 },
      { name: 'detections', value: placed.length - stored.length },
      ...(recording.cameraId && isNew ? [{ name: `camera:${recording.cameraId}`, value: 1 }] : []),
    ],
    events: upsertEvents(
      {
        videoId: known.id,
        recording,
        isNew,
        detections: placed.length,
        speciesIds: [...placed, ...stored].map((row) => row.speciesId),
        visitIds,
        visits: maintained.visits,
        requestId,
      },
      scope.tree,
    ),
  });
  const bounds = [recording, ...(isNew ? [] : [known]), ...maintained.touched];
  const changed = {
    from: Math.min(...bounds.map((bound) => bound.start)),
    to: Math.max(...bounds.map((bound) => bound.end)),
  };
  return { videoId: known.id, created: isNew, deleted: false, detections: placed.length, visitIds, changed };
}

/**
 * Stores a recording under its key (camera, path): new, the same again, or with other content. Answers after the
 * commit; visits, rollups, counters and events are in the same transaction.
 */
export async function postRecording(
  { pool, directory, settings, bell }: WriterDependencies,
  recording: PostedRecording,
  requestId: string,
): Promise<PostResult> {
  const post = await resolvePosted(recording, await settings.current(), directory);
  const request = {
    videos: [recordingLock(recording.cameraId, recording.videoPath)],
    species: post.detections.map((detection) => detection.speciesId),
  };
  const outcome = await inWriterTransaction(pool, directory, request, (scope) =>
    write(scope, recording, post, requestId),
  );
  const { changed, ...result } = outcome;
  const token = changed && bell.ring({ kind: 'recordings', ...changed });
  return { ...result, dropped: post.dropped, bell: token };
}
