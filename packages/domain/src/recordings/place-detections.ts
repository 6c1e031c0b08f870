import type { MaintainedVisits } from '../visits/maintain-visits.js';
import type { AddedDetection, StoredDetection } from '../visits/visit-state.js';
import type { DetectionRow, PostedRecording, ResolvedDetection, StoredRow } from './recording-types.js';

const instant = (recording: PostedRecording, offset: number) => recording.start + Math.round(offset * 1000);

/** The rows as the visit rule sees them; a row without an id of its own gets a negative one, by its position. */
export function toAdded(
  recording: PostedRecording,
  rows: readonly (ResolvedDetection & Partial<Pick<DetectionRow, 'id'>>)[],
): AddedDetection[] {
  return rows.map((row, position) => ({
    id: row.id ?? -1 - position,
    speciesId: row.speciesId,
    source: row.source,
    cameraId: recording.cameraId,
    start: instant(recording, row.startOffset),
    end: instant(recording, row.endOffset),
  }));
}

/** Stored rows as the visit rule sees them. */
export function toStored(cameraId: string, rows: readonly StoredRow[]): StoredDetection[] {
  return rows.map(({ id, speciesId, visitId, source, start, end }) => ({
    id,
    speciesId,
    visitId,
    source,
    cameraId,
    start,
    end,
  }));
}

/** The visit that the rule found for each detection. */
export function visitsOfAdded(added: readonly AddedDetection[], { visitOf }: MaintainedVisits): number[] {
  return added.map(({ id }) => {
    const visitId = visitOf.get(id);
    if (visitId === undefined) throw new Error('the visit rule left a detection without a visit');
    return visitId;
  });
}
