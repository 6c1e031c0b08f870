import pLimit from 'p-limit';
import { createVisitIds } from '../visits/visits.store.js';
import { CameraLimit } from './camera-limit.js';
import {
  type FileState,
  type NewTrack,
  replaceTracks,
  restoreMedia,
  type SavedFileStates,
  type SavedSpectrogram,
  saveFileStates,
  saveSpectrogram,
} from './media.js';
import { type PostOptions, type PostResult, postRecording } from './post.js';
import { PostQueue } from './post-queue.js';
import type { Author, PostedRecording } from './recording.js';
import { type RemapOptions, type RemapProgress, remapDetections } from './remap.js';
import {
  type Purge,
  type PurgeResult,
  purgeRecordings,
  type RemovalOptions,
  type RemovalResult,
  removeRecording,
  removeRecordings,
} from './removals.js';
import {
  type Correction,
  confirmDetection,
  correctDetection,
  markFavorite,
  type ReviewResult,
  revertCorrection,
} from './reviews.js';
import type { WriterDeps } from './writer-transaction.js';

const maxConcurrentWriters = 4;

/** Dependencies of a writer. */
export type RecordingWriterDeps = Pick<WriterDeps, 'pool' | 'directory' | 'settings' | 'notifier' | 'clock'>;

/** The only writer of recordings, detections, visits and rollups of one database. */
export class RecordingWriter {
  readonly #deps: WriterDeps;

  constructor(given: RecordingWriterDeps) {
    const shared = { ...given, visitIds: createVisitIds(), limit: pLimit(maxConcurrentWriters) };
    this.#deps = { ...shared, posts: new PostQueue(shared), cameras: new CameraLimit(given.pool) };
  }

  /** Stores a recording; safe to repeat. */
  post(recording: PostedRecording, requestId: string, options?: PostOptions): Promise<PostResult> {
    return postRecording(this.#deps, recording, requestId, options);
  }

  /** Corrects the species of a detection, its track or its whole visit. @throws HubError detection_not_found, species_not_found */
  correct(correction: Correction, author: Author): Promise<ReviewResult> {
    return correctDetection(this.#deps, correction, author);
  }

  /** Confirms the species of a detection and its track. @throws HubError detection_not_found */
  confirm(detectionId: number, author: Author): Promise<ReviewResult> {
    return confirmDetection(this.#deps, detectionId, author);
  }

  /** Reverts the last correction or confirmation of a detection. @throws HubError detection_not_found, conflict */
  revert(detectionId: number, author: Author): Promise<ReviewResult> {
    return revertCorrection(this.#deps, detectionId, author);
  }

  /** Marks or unmarks a recording as a favourite. @throws HubError video_not_found, recording_deleted */
  markFavorite(videoId: number, isFavorite: boolean): Promise<void> {
    return markFavorite(this.#deps, videoId, isFavorite);
  }

  /**
   * Deletes a recording permanently; a later post of it stores nothing.
   * @throws HubError video_not_found, recording_deleted
   */
  remove(videoId: number, author: Author, options?: RemovalOptions): Promise<RemovalResult> {
    return removeRecording(this.#deps, videoId, author, options);
  }

  /** Deletes recordings, a few at a time; those that are deleted already are skipped. */
  removeAll(videoIds: readonly number[], author: Author, signal: AbortSignal): Promise<void> {
    return removeRecordings(this.#deps, videoIds, author, signal);
  }

  /** Stores whether files exist; at most one state per recording. */
  saveFileStates(states: readonly FileState[]): Promise<SavedFileStates> {
    return saveFileStates(this.#deps, states);
  }

  /** Stores the path of the spectrogram of a recording. */
  saveSpectrogram(videoId: number, path: string): Promise<SavedSpectrogram> {
    return saveSpectrogram(this.#deps, videoId, path);
  }

  /** Replaces the boxes of detections; returns the number of tracks written. */
  replaceTracks(tracks: readonly NewTrack[]): Promise<number> {
    return replaceTracks(this.#deps, tracks);
  }

  /** Purges the files of recordings; their detections and visits stay. */
  purge(purge: Purge, requestId: string): Promise<PurgeResult> {
    return purgeRecordings(this.#deps, purge, requestId);
  }

  /** Marks a purged recording as `ready` when its file exists again. */
  restore(videoId: number, findSize: () => Promise<number | undefined>): Promise<SavedFileStates> {
    return restoreMedia(this.#deps, videoId, findSize);
  }

  /** Assigns unreviewed detections to the species that their posted names now mean. */
  remap(options?: RemapOptions): Promise<RemapProgress> {
    return remapDetections(this.#deps, options);
  }
}
