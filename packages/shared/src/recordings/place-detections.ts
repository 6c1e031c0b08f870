import type { AddedDetection, MaintainedVisits, StoredDetection } from '../visits/index.js';
import type { DetectionRow, PostedRecording, StoredRow } from './recording-types.js';
import type { PlacedRow } from './recordings.store.js';

const instant = (recording: PostedRecording, offset: number) => recording.start + Math.round(offset * 1000);

/** The rows as the visit rule sees them; a row without an id of its own gets a negative one, by its position. */
export function toAdded(recording: PostedRecording, rows: readonly DetectionRow[]): AddedDetection[] {
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

/** Gives every row the visit that the rule found for it. */
export function placeRows(
  rows: readonly DetectionRow[],
  added: readonly AddedDetection[],
  { visitOf }: MaintainedVisits,
): PlacedRow[] {
  return rows.map((row, position) => {
    const detection = added[position];
    const visitId = detection && visitOf.get(detection.id);
    if (detection === undefined || visitId === undefined)
      throw new Error('the visit rule left a detection without a visit');
    return { ...row, visitId, start: detection.start, end: detection.end };
  });
}
