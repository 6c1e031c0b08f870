import type pg from 'pg';
import { HubError } from '../errors/index.js';
import { outboxRow } from '../outbox/index.js';
import { cover, maintainVisits, type WriterScope } from '../visits/index.js';
import { toStored } from './place-detections.js';
import { recordingKey } from './recording-events.js';
import { recordingLock } from './recording-key.js';
import { listStored } from './recordings.store.js';
import { deleteRecording, findById, type RecordingHead } from './removals.store.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** What a removal leaves to do: the files. */
export interface RemovalResult {
  /** Relative to the recordings tree. */
  readonly videoPath: string;
  readonly spectrogramPath: string | null;
  /** By which a reader knows that it has heard of this. */
  readonly bell: string;
}

async function getRecording(client: pg.ClientBase | pg.Pool, videoId: number): Promise<RecordingHead> {
  const found = await findById(client, videoId);
  if (!found) throw new HubError('video_not_found');
  if (found.isDeleted) throw new HubError('recording_deleted');
  return found;
}

async function write(scope: WriterScope, videoId: number, requestId: string) {
  const { client } = scope;
  const recording = await getRecording(client, videoId);
  const stored = await listStored(client, videoId);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added: [] });
  const event = outboxRow(
    'hub.v1.recording.removed',
    recordingKey(videoId),
    {
      video_id: videoId,
      camera_id: recording.cameraId || null,
      start_time: new Date(recording.start).toISOString(),
      visit_ids: [...new Set(removed.map((detection) => detection.visitId))],
    },
    requestId,
  );
  await deleteRecording(client, recording, stored.length, event);
  return { recording, changed: cover([recording, ...maintained.touched]) };
}

/**
 * Deletes a recording with its detections and remembers its key, so that a repeated post does not bring it back.
 * @throws HubError video_not_found, recording_deleted
 */
export async function removeRecording(
  resources: WriterResources,
  videoId: number,
  requestId: string,
): Promise<RemovalResult> {
  const { pool, bell } = resources;
  const { cameraId, videoPath } = await getRecording(pool, videoId);
  const request = { videos: [recordingLock(cameraId, videoPath)], species: [] };
  const { recording, changed } = await inWriterTransaction(resources, request, (scope) =>
    write(scope, videoId, requestId),
  );
  return {
    videoPath: recording.videoPath,
    spectrogramPath: recording.spectrogramPath,
    bell: bell.ring({ kind: 'recordings', from: changed.start, to: changed.end }),
  };
}
