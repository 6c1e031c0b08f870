import { HubError } from '@birdhub/shared/errors';
import { outboxRow } from '@birdhub/shared/outbox';
import type pg from 'pg';
import { pathInRecordings } from '../media/recording-path.js';
import { replaceLostPictures } from '../species/own-pictures.store.js';
import { cover } from '../visits/interval.js';
import { maintainVisits, type WriterScope } from '../visits/maintain-visits.js';
import { toStored } from './place-detections.js';
import { recordingKey } from './recording-events.js';
import { recordingLock } from './recording-key.js';
import type { Author } from './recording-types.js';
import { listStored } from './recordings.store.js';
import { deleteRecording, findById, isFavorite, type RecordingHead } from './removals.store.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** What became of a removal; its files are in `file_removal`. */
export interface RemovalResult {
  /** False for a favourite that was to be kept. */
  readonly removed: boolean;
}

async function getRecording(client: pg.ClientBase | pg.Pool, videoId: number): Promise<RecordingHead> {
  const found = await findById(client, videoId);
  if (!found) throw new HubError('video_not_found');
  if (found.isDeleted) throw new HubError('recording_deleted');
  return found;
}

function toPaths({ videoPath, spectrogramPath }: RecordingHead): string[] {
  const paths = spectrogramPath === null ? [videoPath] : [videoPath, spectrogramPath];
  return [...new Set(paths.map(pathInRecordings))];
}

/** A machine leaves a recording alone that is a favourite by now. */
export interface RemovalOptions {
  readonly keepFavorite?: boolean;
}

interface Removal extends RemovalOptions {
  readonly videoId: number;
  readonly author: Author;
}

async function write(scope: WriterScope, { videoId, author, keepFavorite }: Removal): Promise<RemovalResult> {
  const { client } = scope;
  const { role, requestId } = author;
  if (keepFavorite && (await isFavorite(client, videoId))) return { removed: false };
  const recording = await getRecording(client, videoId);
  const stored = await listStored(client, videoId);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added: [] });
  const head = {
    video_id: videoId,
    camera_id: recording.cameraId || null,
    start_time: new Date(recording.start).toISOString(),
  };
  const visitIds = [...new Set(removed.map((detection) => detection.visitId))];
  const payload = { ...head, visit_ids: visitIds };
  deleteRecording(scope, recording, {
    detections: stored.length,
    files: toPaths(recording),
    activity: { by: role, ...head, video_path: recording.videoPath, detections: stored.length },
  });
  scope.publish(outboxRow('hub.v1.recording.removed', recordingKey(videoId), payload, requestId));
  const { start, end } = cover([recording, ...maintained.touched]);
  scope.changed({ kind: 'recordings', from: start, to: end });
  for (const kind of await replaceLostPictures(client)) scope.changed({ kind });
  return { removed: true };
}

/**
 * Deletes a recording with its detections and remembers its key, so that a repeated post does not bring it back. Its
 * files are to be removed after that.
 * @throws HubError video_not_found, recording_deleted
 */
export async function removeRecording(
  resources: WriterResources,
  videoId: number,
  author: Author,
  options: RemovalOptions = {},
): Promise<RemovalResult> {
  const { cameraId, videoPath } = await getRecording(resources.pool, videoId);
  const request = { videos: [recordingLock(cameraId, videoPath)], species: [] };
  return inWriterTransaction(resources, request, (scope) => write(scope, { videoId, author, ...options }));
}
