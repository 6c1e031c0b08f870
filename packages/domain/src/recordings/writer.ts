import { type ChangeNotifier, createIdBlock, type IdBlock } from '@birdhub/shared/db';
import pLimit, { type LimitFunction } from 'p-limit';
import type pg from 'pg';
import type { SettingsReader } from '../settings/settings.js';
import type { SpeciesDirectory } from '../species/directory.js';
import { confirmDetection } from './confirm-detection.js';
import { type Correction, correctDetection } from './correct-detection.js';
import { markFavorite } from './mark-favorite.js';
import { type MediaNote, type NotedMedia, noteMedia } from './note-media.js';
import { type NotedSpectrogram, noteSpectrogram } from './note-spectrogram.js';
import { type PostOptions, type PostResult, postRecording } from './post-recording.js';
import { type Purge, type PurgeResult, purgeRecordings } from './purge-recordings.js';
import type { Author, PostedRecording } from './recording-types.js';
import { type RemapOptions, type RemapProgress, remapDetections } from './remap-detections.js';
import { type RemovalOptions, type RemovalResult, removeRecording } from './remove-recording.js';
import { type NewTrack, replaceTracks } from './replace-tracks.js';
import { restoreMedia } from './restore-media.js';
import { revertCorrection } from './revert-correction.js';
import type { ReviewResult } from './review-detections.js';

const writersAtOnce = 4;

/** What the writing module works with. */
export interface WriterDependencies {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly notifier: ChangeNotifier;
}

/** What one writer keeps beside that. */
export interface WriterResources extends WriterDependencies {
  readonly visitIds: IdBlock;
  /**
   * How many write at once. Writers of one species wait for each other anyway, and those that wait in the database
   * hold a connection and cost it work: four are as fast as a hundred, and the slowest of them is faster.
   */
  readonly limit: LimitFunction;
}

/** The only writer of recordings, detections, visits and rollups, whoever calls it. */
export interface RecordingWriter {
  /** Stores a recording; safe to repeat. */
  post(recording: PostedRecording, requestId: string, options?: PostOptions): Promise<PostResult>;
  /** Says what a detection, its track or its whole visit really shows. @throws HubError not found */
  correct(correction: Correction, author: Author): Promise<ReviewResult>;
  /** Says that a detection and its track are what they were taken for. @throws HubError detection_not_found */
  confirm(detectionId: number, author: Author): Promise<ReviewResult>;
  /** Takes back the last correction or confirmation of a detection. @throws HubError detection_not_found, conflict */
  revert(detectionId: number, author: Author): Promise<ReviewResult>;
  /** Makes a recording a favourite, or no longer one. @throws HubError video_not_found, recording_deleted */
  markFavorite(videoId: number, isFavorite: boolean): Promise<void>;
  /** Deletes a recording for good; a later post of it stores nothing. @throws HubError video_not_found, recording_deleted */
  remove(videoId: number, author: Author, options?: RemovalOptions): Promise<RemovalResult>;
  /** Says whether files are there; of one recording at most one note. */
  noteMedia(notes: readonly MediaNote[]): Promise<NotedMedia>;
  /** Says where the picture of the sound of a recording is. */
  noteSpectrogram(videoId: number, path: string): Promise<NotedSpectrogram>;
  /** Puts other boxes in place of those of detections; answers how many tracks were written. */
  replaceTracks(tracks: readonly NewTrack[]): Promise<number>;
  /** Gives up the files of recordings, whose detections and visits stay. */
  purge(purge: Purge, requestId: string): Promise<PurgeResult>;
  /** Takes a recording whose file was cleared as `ready` again, when that file is back. */
  restore(videoId: number, findSize: () => Promise<number | undefined>): Promise<NotedMedia>;
  /** Gives what nobody has reviewed the species that its name means now. */
  remap(options?: RemapOptions): Promise<RemapProgress>;
}

/** The writer on one database. */
export function createRecordingWriter(dependencies: WriterDependencies): RecordingWriter {
  const resources = {
    ...dependencies,
    visitIds: createIdBlock('species_visit_id_seq'),
    limit: pLimit(writersAtOnce),
  };
  return {
    post: (recording, requestId, options) => postRecording(resources, recording, requestId, options),
    correct: (correction, author) => correctDetection(resources, correction, author),
    confirm: (detectionId, author) => confirmDetection(resources, detectionId, author),
    revert: (detectionId, author) => revertCorrection(resources, detectionId, author),
    markFavorite: (videoId, isFavorite) => markFavorite(resources, videoId, isFavorite),
    remove: (videoId, author, options) => removeRecording(resources, videoId, author, options),
    noteMedia: (notes) => noteMedia(resources, notes),
    noteSpectrogram: (videoId, path) => noteSpectrogram(resources, videoId, path),
    replaceTracks: (tracks) => replaceTracks(resources, tracks),
    purge: (purge, requestId) => purgeRecordings(resources, purge, requestId),
    restore: (videoId, findSize) => restoreMedia(resources, videoId, findSize),
    remap: (options) => remapDetections(resources, options),
  };
}
