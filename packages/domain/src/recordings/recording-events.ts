import { type OutboxRow, outboxRow } from '@birdhub/shared/outbox';
import type { SpeciesTree } from '../species/species-tree.js';
import type { WrittenVisit } from '../visits/maintain-visits.js';
import type { PostedRecording } from './recording-types.js';

const at = (instant: number) => new Date(instant).toISOString();
const ascending = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b);

/** What one recording is called in the outbox: its events stay in order. */
export const recordingKey = (videoId: number) => `recording ${videoId}`;

interface Upsert {
  readonly videoId: number;
  readonly recording: PostedRecording;
  readonly created: boolean;
  readonly detections: number;
  readonly speciesIds: Iterable<number>;
  readonly visitIds: Iterable<number>;
  readonly visits: readonly WrittenVisit[];
  readonly requestId: string;
}

/** The events of a post: the recording, and each visit that it started or lengthened. */
export function upsertEvents(upsert: Upsert, tree: SpeciesTree): OutboxRow[] {
  const { videoId, recording, requestId } = upsert;
  const key = recordingKey(videoId);
  const upserted = outboxRow(
    'hub.v1.recording.upserted',
    key,
    {
      video_id: videoId,
      camera_id: recording.cameraId || null,
      start_time: at(recording.start),
      end_time: at(recording.end),
      created: upsert.created,
      detections: upsert.detections,
      species_ids: ascending(upsert.speciesIds),
      visit_ids: ascending(upsert.visitIds),
    },
    requestId,
  );
  return [upserted, ...visitEvents(videoId, upsert.visits, tree, requestId)];
}

/** The events of visits that came to be or grew longer with a recording. */
export function visitEvents(
  videoId: number,
  visits: readonly WrittenVisit[],
  tree: SpeciesTree,
  requestId: string,
): OutboxRow[] {
  return visits
    .filter((visit) => visit.isNew || visit.isExtended)
    .map((visit) =>
      outboxRow(
        visit.isNew ? 'hub.v1.visit.started' : 'hub.v1.visit.extended',
        recordingKey(videoId),
        {
          visit_id: visit.id,
          species_id: visit.speciesId,
          species_name: tree.nodes.get(visit.speciesId)?.name ?? '',
          video_id: videoId,
          start_time: at(visit.start),
          end_time: at(visit.end),
        },
        requestId,
      ),
    );
}
