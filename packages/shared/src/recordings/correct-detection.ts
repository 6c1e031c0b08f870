import { HubError } from '../errors/index.js';
import { type OutboxRow, outboxRow } from '../outbox/index.js';
import {
  cover,
  LocksNeeded,
  type MaintainedVisits,
  maintainVisits,
  type WriterScope,
} from '../visits/index.js';
import {
  type CorrectedDetection,
  type CorrectionScope,
  listInScope,
  writeCorrection,
} from './corrections.store.js';
import { recordingKey, visitEvents } from './recording-events.js';
import { recordingLock } from './recording-key.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction } from './writer-transaction.js';

/** A person's word on what a detection shows. */
export interface Correction {
  readonly detectionId: number;
  readonly speciesId: number;
  readonly scope: CorrectionScope;
}

/** What a correction changed. */
export interface CorrectionResult {
  readonly updatedCount: number;
  /** The visit of the corrected detection now. */
  readonly visitId: number;
  /** By which a reader knows that it has heard of this; undefined when nothing changed. */
  readonly bell: string | undefined;
}

function correctionEvents(
  moved: readonly CorrectedDetection[],
  speciesId: number,
  { visits }: MaintainedVisits,
  scope: WriterScope,
  requestId: string,
): OutboxRow[] {
  const videos = [...new Set(moved.map((detection) => detection.videoId))];
  const correctedAt = new Date().toISOString();
  const corrected = videos.map((videoId) => {
    const own = moved.filter((detection) => detection.videoId === videoId);
    return outboxRow(
      'hub.v1.detection.corrected',
      recordingKey(videoId),
      {
        detection_ids: own.map((detection) => detection.id),
        video_id: videoId,
        from_species_ids: [...new Set(own.map((detection) => detection.speciesId))],
        to_species_id: speciesId,
        visit_ids: [
          ...new Set([...own.map((detection) => detection.visitId), ...visits.map((visit) => visit.id)]),
        ],
        corrected_at: correctedAt,
      },
      requestId,
    );
  });
  const [firstVideo] = videos;
  return firstVideo === undefined
    ? corrected
    : [...corrected, ...visitEvents(firstVideo, visits, scope.tree, requestId)];
}

function chosenOf(detections: readonly CorrectedDetection[], detectionId: number): CorrectedDetection {
  const chosen = detections.find((detection) => detection.id === detectionId);
  if (!chosen) throw new HubError('detection_not_found');
  return chosen;
}

async function write(
  scope: WriterScope,
  { detectionId, speciesId, scope: reach }: Correction,
  requestId: string,
) {
  const detections = await listInScope(scope.client, detectionId, reach);
  const chosen = chosenOf(detections, detectionId);
  const isCovered = detections.every((row) =>
    scope.locks.videos.has(recordingLock(row.cameraId, row.videoPath)),
  );
  if (!isCovered)
    throw new LocksNeeded(
      [],
      detections.map((row) => recordingLock(row.cameraId, row.videoPath)),
    );
  const moved = detections.filter((detection) => detection.speciesId !== speciesId);
  if (!moved.length) return { updatedCount: 0, visitId: chosen.visitId, changed: undefined };
  const added = moved.map((detection) => ({ ...detection, speciesId }));
  const maintained = await maintainVisits(scope, { removed: moved, added });
  const places = moved.map(({ id }) => ({ id, visit_id: maintained.visitOf.get(id) ?? 0 }));
  const activity = {
    detection_ids: moved.map(({ id }) => id),
    from_species_ids: [...new Set(moved.map((detection) => detection.speciesId))],
    to_species_id: speciesId,
    apply_scope: reach,
  };
  await writeCorrection(
    scope.client,
    speciesId,
    places,
    activity,
    correctionEvents(moved, speciesId, maintained, scope, requestId),
  );
  return {
    updatedCount: moved.length,
    visitId: maintained.visitOf.get(detectionId) ?? chosen.visitId,
    changed: cover(maintained.touched),
  };
}

/**
 * Moves a detection (its track, or its whole visit) to another species and marks it reviewed; visits of both
 * species, rollups, an activity row and events follow in the same transaction.
 * @throws HubError detection_not_found, species_not_found
 */
export async function correctDetection(
  resources: WriterResources,
  correction: Correction,
  requestId: string,
): Promise<CorrectionResult> {
  const { pool, directory, bell } = resources;
  const { detectionId, speciesId, scope } = correction;
  const detections = await listInScope(pool, detectionId, scope);
  chosenOf(detections, detectionId);
  if (!(await directory.tree()).nodes.has(speciesId)) directory.forget();
  if (!(await directory.tree()).nodes.has(speciesId)) throw new HubError('species_not_found');
  const request = {
    videos: detections.map((detection) => recordingLock(detection.cameraId, detection.videoPath)),
    species: [speciesId, ...detections.map((detection) => detection.speciesId)],
  };
  const { changed, ...result } = await inWriterTransaction(resources, request, (writerScope) =>
    write(writerScope, correction, requestId),
  );
  return {
    ...result,
    bell: changed && bell.ring({ kind: 'recordings', from: changed.start, to: changed.end }),
  };
}
