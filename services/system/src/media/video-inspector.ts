import { type ItemJobKind, type ItemResult, jobProblem } from '@birdhub/domain/jobs';
import {
  listStoredCrops,
  type MediaFile,
  mediaKindOf,
  openMediaFile,
  removeDerived,
} from '@birdhub/domain/media';
import type { RecordingWriter, UnreadableFile } from '@birdhub/domain/recordings';
import { requireKnownFiles } from '@birdhub/domain/storage';
import type { EventMap } from '@birdhub/shared/events';
import { type CommitDeps, commit, type OutboxRow, outboxRow } from '@birdhub/shared/outbox';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type EarlierPictures,
  listMissingPictures,
  type MissingPictures,
  makePictures,
  measureStoredCrops,
  type PictureResult,
} from './make-pictures.js';
import type { MediaTools } from './media-tools.js';
import { findMediaVideo, hasPoster, type MediaVideo, mayHaveFile } from './media-videos.js';

/** Dependencies of the inspection of recordings. */
export interface VideoInspectorDeps extends CommitDeps {
  readonly writer: Pick<RecordingWriter, 'saveFileStates' | 'saveSpectrogram'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a file is awaited after the last post of its recording. */
  readonly fileTimeoutMs: number;
}

/** Options of an inspection. */
export interface InspectOptions {
  readonly signal: AbortSignal;
  /** Whether existing pictures are recreated. */
  readonly isForced?: boolean;
  /** Whether a request waits for the pictures. */
  readonly isUrgent?: boolean;
  /** Called before a recording is set to missing; its error is passed on. */
  readonly beforeMissing?: () => Promise<void>;
}

/**
 * The result of an inspection: `awaited` when the file is missing or incomplete, `unmade` when it is readable but not
 * all pictures can be made.
 */
export type InspectionOutcome =
  | 'gone'
  | 'untouched'
  | 'made'
  | 'unmade'
  | 'awaited'
  | 'absent'
  | 'unreadable';

/** Opens the file of a recording, makes its missing pictures, and records the state of its media. */
export type InspectVideo = (videoId: number, options: InspectOptions) => Promise<InspectionOutcome>;

/** A file that changed within this time may still be written. */
const settleMs = 2_000;
/** An unreadable file may be incomplete for longer, as containers are completed at the end. */
const arrivalTimeoutMs = 30_000;
const maxRemembered = 10_000;
const fileCheckIntervalMs = 10_000;

/** Creates the inspector; a process needs only one. */
export function createVideoInspector(deps: VideoInspectorDeps): InspectVideo {
  const inspector = new VideoInspector(deps);
  return (videoId, options) => inspector.inspect(videoId, options);
}

interface OpenVideo extends InspectOptions {
  readonly video: MediaVideo;
  readonly file: MediaFile;
}

/** The result of the last inspection of a file. */
interface EarlierInspection {
  readonly etag: string;
  readonly outcome: InspectionOutcome;
  readonly pictures: EarlierPictures;
}

class VideoInspector {
  readonly #deps: VideoInspectorDeps;
  readonly #earlier = new Map<number, EarlierInspection>();

  constructor(deps: VideoInspectorDeps) {
    this.#deps = deps;
  }

  async inspect(videoId: number, options: InspectOptions): Promise<InspectionOutcome> {
    const { pool, recordingsDir } = this.#deps;
    const video = await findMediaVideo(pool, videoId);
    if (!video || !mayHaveFile(video)) return 'gone';
    const file = await openMediaFile(recordingsDir, video.videoPath);
    if (!file) {
      if (video.media === 'pending' && !this.#isOverdue(video)) return 'awaited';
      if (video.media === 'pending') {
        await options.beforeMissing?.();
        await this.#giveUp(video, 'missing');
      }
      return 'absent';
    }
    try {
      return await this.#inspectFile({ ...options, video, file });
    } finally {
      await file.handle.close();
    }
  }

  async #inspectFile(open: OpenVideo): Promise<InspectionOutcome> {
    const { video, file, isForced = false, isUrgent = false, signal } = open;
    const ageMs = this.#deps.clock.now() - file.modifiedMs;
    const isFresh = ageMs >= 0 && ageMs < settleMs;
    const last = this.#earlier.get(video.id);
    // A file that may still be written gets pictures immediately, and is inspected again when it has settled.
    if (isFresh && last && last.etag !== file.etag && !isForced) return 'awaited';
    const earlier = last?.etag === file.etag && !isForced ? last : undefined;
    const isKnown = video.media === 'ready' && video.fileSize === file.size;
    const measured = isKnown && !isForced ? await measureStoredCrops(this.#deps, video, file, signal) : 0;
    if (measured) await commit(this.#deps, async ({ changed }) => changed(changeOf(video)));
    const isOtherFile = isForced || !isKnown;
    const missing = await listMissingPictures(this.#deps, video, file, {
      isOtherFile,
      earlier: earlier?.pictures,
    });
    if (!missing.frames.length && isKnown && !isForced) return earlier?.outcome ?? 'untouched';
    if (!missing.frames.length && !missing.spectrogram && earlier) {
      if (!isFresh) await this.#markReady(open);
      return earlier.outcome;
    }
    const result = await makePictures(this.#deps, video, missing, { input: file.handle, signal, isUrgent });
    if (!result) return this.#giveUpUnlessArriving(open, ageMs);
    if (await this.#removeIfDeleted(video.id)) return 'gone';
    const outcome = toOutcome(missing, result);
    this.#remember(video.id, { etag: file.etag, outcome, pictures: merge(earlier?.pictures, result) });
    await this.#announce(open, result);
    if (isFresh && !isKnown) return outcome;
    const isChanged = await this.#markReady(open);
    return outcome === 'untouched' && isChanged ? 'made' : outcome;
  }

  #isOverdue({ updatedAt }: MediaVideo): boolean {
    const { clock, fileTimeoutMs } = this.#deps;
    return clock.now() - updatedAt.getTime() >= fileTimeoutMs;
  }

  /** Remembers an inspection and drops the oldest above the limit, whose file may then be inspected again. */
  #remember(videoId: number, inspection: EarlierInspection): void {
    this.#earlier.delete(videoId);
    this.#earlier.set(videoId, inspection);
    const [oldest] = this.#earlier.keys();
    if (this.#earlier.size > maxRemembered && oldest !== undefined) this.#earlier.delete(oldest);
  }

  async #giveUp(
    { id, media, videoPath }: MediaVideo,
    failure: 'missing' | 'unreadable',
    unreadable?: UnreadableFile,
  ): Promise<void> {
    const { writer, log } = this.#deps;
    const file = { videoId: id, state: 'missing' as const, ...(unreadable && { unreadable }) };
    if (media !== 'missing') {
      const media_kind = mediaKindOf(videoPath);
      const pictures = { video_id: id, media_kind, poster: false, spectrogram: false, crops: 0, failure };
      await commit(this.#deps, async ({ publish }) => publish(picturesFinished(pictures)));
    }
    const { changed } = await writer.saveFileStates([file]);
    if (changed.length) log.warn({ video_id: id, reason: failure }, 'recording without a readable file');
  }

  async #giveUpUnlessArriving({ video, file }: OpenVideo, ageMs: number): Promise<InspectionOutcome> {
    if (ageMs < arrivalTimeoutMs && !this.#isOverdue(video)) return 'awaited';
    await this.#giveUp(video, 'unreadable', { sizeBytes: file.size, modifiedMs: file.modifiedMs });
    return 'unreadable';
  }

  async #markReady({ video, file }: OpenVideo): Promise<boolean> {
    const saved = { videoId: video.id, state: 'ready' as const, sizeBytes: file.size };
    return (await this.#deps.writer.saveFileStates([saved])).changed.length > 0;
  }

  /** Removes the pictures of a recording that was deleted concurrently. */
  async #removeIfDeleted(videoId: number): Promise<boolean> {
    const { pool, dataDir } = this.#deps;
    const isDeleted = (await findMediaVideo(pool, videoId)) === undefined;
    if (isDeleted) await removeDerived(dataDir, videoId);
    return isDeleted;
  }

  async #announce({ video }: OpenVideo, { facts, made }: PictureResult): Promise<void> {
    const { dataDir } = this.#deps;
    const poster = await hasPoster(dataDir, video.id);
    const event = picturesFinished({
      video_id: video.id,
      media_kind: mediaKindOf(video.videoPath),
      poster,
      spectrogram: video.spectrogramPath !== null || made.has('spectrogram'),
      crops: (await listStoredCrops(dataDir, video.id)).size,
      failure: !poster && facts?.hasVideo ? 'undecodable' : null,
    });
    await commit(this.#deps, async ({ publish, changed }) => {
      publish(event);
      changed(changeOf(video));
    });
  }
}

const changeOf = ({ start, end }: MediaVideo) => ({ kind: 'recordings', from: start, to: end }) as const;

/** Audio recordings have no frames. */
function toOutcome({ frames }: MissingPictures, { facts, made }: PictureResult): InspectionOutcome {
  const hasFrames = facts?.hasVideo !== false;
  if (hasFrames && frames.some(({ name }) => !made.has(name))) return 'unmade';
  return made.size ? 'made' : 'untouched';
}

function merge(earlier: EarlierPictures | undefined, { made, impossible }: PictureResult): EarlierPictures {
  return {
    made: new Set([...(earlier?.made ?? []), ...made]),
    impossible: new Set([...(earlier?.impossible ?? []), ...impossible]),
  };
}

/** Returns the event about the finished pictures of a recording. */
function picturesFinished(payload: EventMap['hub.v1.pictures.finished']): OutboxRow {
  return outboxRow('hub.v1.pictures.finished', `pictures ${payload.video_id}`, payload, undefined);
}

/** Dependencies of the job. */
export interface MediaRepairDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly inspect: InspectVideo;
  readonly writer: Pick<RecordingWriter, 'saveFileStates'>;
}

const results: Readonly<Record<InspectionOutcome, ItemResult>> = {
  made: { outcome: 'generated' },
  untouched: { outcome: 'skipped' },
  awaited: { outcome: 'skipped' },
  gone: { outcome: 'skipped' },
  unmade: { outcome: 'failed', reason: jobProblem('no_picture') },
  absent: { outcome: 'failed', reason: jobProblem('file_missing') },
  unreadable: { outcome: 'failed', reason: jobProblem('file_unreadable') },
};

/** Creates the job that inspects recordings with a missing file or poster again, or all when forced. */
export function createMediaRepairJob(deps: MediaRepairDeps): ItemJobKind {
  const { inspect, writer } = deps;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Requires at intervals that the disk is mounted, before a recording is set to missing. */
  async function requireFiles(): Promise<void> {
    if (performance.now() - checkedAt < fileCheckIntervalMs) return;
    await requireKnownFiles(deps);
    checkedAt = performance.now();
  }

  return {
    name: 'media-repair',
    async work(videoId, { force, signal }) {
      const outcome = await inspect(videoId, { signal, isForced: force, beforeMissing: requireFiles });
      if (outcome === 'absent') {
        await requireFiles();
        await writer.saveFileStates([{ videoId, state: 'missing' }]);
      }
      return results[outcome];
    },
  };
}
