import { createHash } from 'node:crypto';
import { type OutboxRow, outboxRow } from '@birdhub/shared/outbox';
import { type MediaKind, mediaKindOf } from '../media/recording-path.js';
import type { SpeciesTree } from '../species/directory.js';
import type { MaintainedVisits, WrittenVisit } from '../visits/maintain.js';
import type { AddedDetection, StoredDetection } from '../visits/plan.js';

/** A box at one instant of a recording: seconds from its start, corners as fractions of the picture. */
export interface Frame {
  readonly t: number;
  readonly bbox: readonly [number, number, number, number];
}

/** A detection as reported by a processor. */
export interface PostedDetection {
  readonly speciesName: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Seconds from the start of the recording. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly source: 'video' | 'audio';
  readonly trackId: string | null;
  readonly provider: string | null;
  readonly frames: readonly Frame[];
  /** Further properties that the processor sent. */
  readonly extra: Readonly<Record<string, unknown>> | null;
  /** Set for detections imported from another hub. */
  readonly id?: number | undefined;
  readonly reviewed?: boolean;
  /** RFC 3339. */
  readonly reviewedAt?: string | null;
}

/** A recording as reported by a processor; instants in ms since the epoch. */
export interface PostedRecording {
  readonly processorVersion: string;
  readonly start: number;
  readonly end: number;
  /** Relative to the recordings tree; together with the camera, the key of the recording. */
  readonly videoPath: string;
  /** Empty when the processor names none. */
  readonly cameraId: string;
  readonly spectrogramPath: string | null;
  readonly triggerSource: string | null;
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly detections: readonly PostedDetection[];
  /** False for a sighting without media, for which no file is expected; an existing file is kept. Default: true. */
  readonly hasFile?: boolean;
  /** A note by a person. */
  readonly note?: string | undefined;
}

/** A posted detection with its species. */
export interface ResolvedDetection extends PostedDetection {
  readonly speciesId: number;
  /** Sex, age and season as stated by the label; absent when the label states none. */
  readonly plumage?: string | null;
}

/** A detection to be written: the posted values and its review. */
export interface DetectionRow extends ResolvedDetection {
  /** Undefined for a new one. */
  readonly id: number | undefined;
  /** The species reported by the processor, if a person corrected it. */
  readonly originalSpeciesId: number | null;
  readonly reviewed: boolean;
  /** RFC 3339. */
  readonly reviewedAt: string | null;
  /** Whether the program that posted it had reviewed it; default: `reviewed`. */
  readonly postedReviewed?: boolean;
  /** The stored detection of the same bird from which this one inherits its review. */
  readonly inheritsFrom?: number | undefined;
}

/** A stored detection with all its columns. */
export interface StoredRow extends DetectionRow {
  readonly id: number;
  readonly visitId: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** The person or program that requests a change, for its log row and its events. */
export interface Author {
  /** As set by the gateway: `contributor` or `admin`. */
  readonly role: string;
  /** The name of the access token of the request. */
  readonly token?: string | undefined;
  readonly requestId: string;
}

/** Returns the advisory lock of a recording. A collision only makes two recordings wait for each other. */
export function recordingLock(cameraId: string, videoPath: string): number {
  return createHash('sha1').update(`${cameraId}\0${videoPath}`).digest().readInt32BE(0);
}

/** Returns a digest of the content of a post, by which a repeated post is recognised. */
export function contentHash(recording: PostedRecording, detectionsJson: string): Buffer {
  const { processorVersion, start, end, spectrogramPath, triggerSource, extra, hasFile, note } = recording;
  // Undefined values are omitted.
  const more = { hasFile, note };
  const head = JSON.stringify({
    processorVersion,
    start,
    end,
    spectrogramPath,
    triggerSource,
    extra,
    ...more,
  });
  return createHash('sha1').update(head).update(detectionsJson).digest();
}

/** Converts rows for the visit rule; a row without an id gets a negative one, counted down from `firstId`. */
export function toAdded(
  recording: PostedRecording,
  rows: readonly (ResolvedDetection & Partial<Pick<DetectionRow, 'id'>>)[],
  firstId = -1,
): AddedDetection[] {
  return rows.map((row, position) => ({
    id: row.id ?? firstId - position,
    speciesId: row.speciesId,
    source: row.source,
    cameraId: recording.cameraId,
    start: instantAt(recording, row.startOffset),
    end: instantAt(recording, row.endOffset),
  }));
}

/** Converts stored rows for the visit rule. */
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

/** Returns the visit of each added detection. */
export function visitsOfAdded(added: readonly AddedDetection[], { visitOf }: MaintainedVisits): number[] {
  return added.map(({ id }) => {
    const visitId = visitOf.get(id);
    if (visitId === undefined) throw new Error('the visit rule assigned no visit to a detection');
    return visitId;
  });
}

/** Returns the ordering key of the events of a recording. */
export const recordingKey = (videoId: number) => `recording ${videoId}`;

interface UpsertedRecording {
  readonly videoId: number;
  readonly recording: PostedRecording;
  readonly created: boolean;
  readonly detections: number;
  readonly speciesIds: Iterable<number>;
  readonly visitIds: Iterable<number>;
  readonly requestId: string;
}

/** Returns the media kind of a posted recording; null without a medium. */
export function mediaKindOfPosted({ videoPath, hasFile = true }: PostedRecording): MediaKind | null {
  return hasFile ? mediaKindOf(videoPath) : null;
}

/** Returns the event of a post. */
export function upsertEvent(upsert: UpsertedRecording): OutboxRow {
  const { videoId, recording, requestId } = upsert;
  return outboxRow(
    'hub.v1.recording.upserted',
    recordingKey(videoId),
    {
      video_id: videoId,
      media_kind: mediaKindOfPosted(recording),
      camera_id: recording.cameraId || null,
      start_time: toIsoString(recording.start),
      end_time: toIsoString(recording.end),
      created: upsert.created,
      detections: upsert.detections,
      species_ids: ascending(upsert.speciesIds),
      visit_ids: ascending(upsert.visitIds),
    },
    requestId,
  );
}

/** Returns the events of visits that were started or extended with a recording. */
export function visitEvents(
  { videoId, mediaKind }: { readonly videoId: number; readonly mediaKind: MediaKind | null },
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
          media_kind: mediaKind,
          start_time: toIsoString(visit.start),
          end_time: toIsoString(visit.end),
        },
        requestId,
      ),
    );
}

const instantAt = (recording: PostedRecording, offset: number) => recording.start + Math.round(offset * 1000);

const toIsoString = (instant: number) => new Date(instant).toISOString();
const ascending = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b);
