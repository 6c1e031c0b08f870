import { listKeptCrops, type MediaFile, openMediaFile, removeDerived } from '@birdhub/domain/media';
import type { RecordingWriter, UnreadableFile } from '@birdhub/domain/recordings';
import type { Bell } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type EarlierPictures,
  type LackingPictures,
  listLackingPictures,
  makePictures,
  type PictureResult,
} from './make-pictures.js';
import type { MediaTools } from './media-tools.js';
import { findMediaVideo, type MediaVideo } from './media-videos.store.js';
import { hasPoster } from './poster.js';
import { tellPictures } from './tell-pictures.js';

/** What recordings are looked into with. */
export interface MediaParts {
  readonly pool: pg.Pool;
  readonly bell: Pick<Bell, 'ring'>;
  readonly writer: Pick<RecordingWriter, 'noteMedia' | 'noteSpectrogram'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a file is awaited, from the last post of its recording. */
  readonly waitMs: number;
}

/** A file that changed within this time may still be being written. */
const restMs = 2_000;
/** One that cannot be read may be so for longer, as a container is whole at its end only. */
const arrivalMs = 30_000;
const maxRemembered = 10_000;

/** How a recording is looked into. */
export interface LookOptions {
  readonly signal: AbortSignal;
  /** Whether what is there already is made anew. */
  readonly isForced?: boolean;
  /** Whether somebody waits for its pictures. */
  readonly isUrgent?: boolean;
}

/**
 * What a look into a recording came to: `awaited` when its file has yet to come or to be whole, `unmade` when the file
 * can be read and not all of its pictures be made.
 */
export type LookOutcome = 'gone' | 'untouched' | 'made' | 'unmade' | 'awaited' | 'absent' | 'unreadable';

/** Looks into the file of a recording, makes the pictures that it lacks, and says that it is there. */
export type LookIntoVideo = (videoId: number, options: LookOptions) => Promise<LookOutcome>;

interface OpenVideo extends LookOptions {
  readonly video: MediaVideo;
  readonly file: MediaFile;
}

/** What was found out about a file when it was last read. */
interface EarlierLook {
  readonly etag: string;
  readonly outcome: LookOutcome;
  readonly pictures: EarlierPictures;
}

/** Forgets the oldest when there are too many: a file is then read once more than needed. */
function remember(looks: Map<number, EarlierLook>, videoId: number, look: EarlierLook): void {
  looks.delete(videoId);
  looks.set(videoId, look);
  const [oldest] = looks.keys();
  if (looks.size > maxRemembered && oldest !== undefined) looks.delete(oldest);
}

/** What two readings of one file came to. */
function join(earlier: EarlierPictures | undefined, { made, impossible }: PictureResult): EarlierPictures {
  return {
    made: new Set([...(earlier?.made ?? []), ...made]),
    impossible: new Set([...(earlier?.impossible ?? []), ...impossible]),
  };
}

/** Sound alone has no frames to lack. */
function judge({ frames }: LackingPictures, { facts, made }: PictureResult): LookOutcome {
  const isSeen = facts?.hasVideo !== false;
  if (isSeen && frames.some(({ name }) => !made.has(name))) return 'unmade';
  return made.size ? 'made' : 'untouched';
}

/** Makes the one way by which files are looked into, whoever asks. */
export function createMediaDeriver(parts: MediaParts): LookIntoVideo {
  const { pool, bell, writer, dataDir, clock, log, waitMs, recordingsDir } = parts;
  const looks = new Map<number, EarlierLook>();

  const isLate = ({ updatedAt }: MediaVideo) => clock.now() - updatedAt.getTime() >= waitMs;

  async function giveUp(
    { id, media }: MediaVideo,
    failure: 'missing' | 'unreadable',
    unreadable?: UnreadableFile,
  ): Promise<void> {
    const note = { videoId: id, state: 'missing' as const, ...(unreadable && { unreadable }) };
    if (media !== 'missing')
      await tellPictures(pool, { video_id: id, poster: false, spectrogram: false, crops: 0, failure });
    const { changed } = await writer.noteMedia([note]);
    if (changed.length)
      log.warn({ video_id: id, reason: failure }, 'recording without a file that can be read');
  }

  async function tell({ video }: OpenVideo, { facts, made }: PictureResult): Promise<void> {
    const poster = await hasPoster(dataDir, video.id);
    await tellPictures(pool, {
      video_id: video.id,
      poster,
      spectrogram: video.spectrogramPath !== null || made.has('spectrogram'),
      crops: (await listKeptCrops(dataDir, video.id)).size,
      failure: !poster && facts?.hasVideo ? 'undecodable' : null,
    });
    bell.ring({ kind: 'recordings', from: video.start, to: video.end });
  }

  async function noteReady({ video, file }: OpenVideo): Promise<boolean> {
    const note = { videoId: video.id, state: 'ready' as const, sizeBytes: file.size };
    return (await writer.noteMedia([note])).changed.length > 0;
  }

  /** What was deleted meanwhile leaves nothing behind. */
  async function clearIfGone(videoId: number): Promise<boolean> {
    const isGone = (await findMediaVideo(pool, videoId)) === undefined;
    if (isGone) await removeDerived(dataDir, videoId);
    return isGone;
  }

  async function giveUpUnlessArriving({ video, file }: OpenVideo, ageMs: number): Promise<LookOutcome> {
    if (ageMs < arrivalMs && !isLate(video)) return 'awaited';
    await giveUp(video, 'unreadable', { sizeBytes: file.size, modifiedMs: file.modifiedMs });
    return 'unreadable';
  }

  async function derive(open: OpenVideo): Promise<LookOutcome> {
    const { video, file, isForced = false, isUrgent = false, signal } = open;
    const ageMs = clock.now() - file.modifiedMs;
    const isFresh = ageMs >= 0 && ageMs < restMs;
    const last = looks.get(video.id);
    // A file that may still be written gets first pictures at once, and is read again when it rests.
    if (isFresh && last && last.etag !== file.etag && !isForced) return 'awaited';
    const earlier = last?.etag === file.etag && !isForced ? last : undefined;
    const isKnown = video.media === 'ready' && video.fileSize === file.size;
    const isOtherFile = isForced || !isKnown;
    const before = { isOtherFile, earlier: earlier?.pictures };
    const lacking = await listLackingPictures(parts, video, file, before);
    if (!lacking.frames.length && isKnown && !isForced) return earlier?.outcome ?? 'untouched';
    if (!lacking.frames.length && !lacking.spectrogram && earlier) {
      if (!isFresh) await noteReady(open);
      return earlier.outcome;
    }
    const result = await makePictures(parts, video, lacking, { input: file.handle, signal, isUrgent });
    if (!result) return giveUpUnlessArriving(open, ageMs);
    if (await clearIfGone(video.id)) return 'gone';
    const outcome = judge(lacking, result);
    remember(looks, video.id, { etag: file.etag, outcome, pictures: join(earlier?.pictures, result) });
    await tell(open, result);
    if (isFresh && !isKnown) return outcome;
    const isNews = await noteReady(open);
    return outcome === 'untouched' && isNews ? 'made' : outcome;
  }

  return async (videoId, options) => {
    const video = await findMediaVideo(pool, videoId);
    if (!video || video.media === 'purged') return 'gone';
    const file = await openMediaFile(recordingsDir, video.videoPath);
    if (!file) {
      if (video.media === 'pending' && !isLate(video)) return 'awaited';
      if (video.media === 'pending') await giveUp(video, 'missing');
      return 'absent';
    }
    try {
      return await derive({ ...options, video, file });
    } finally {
      await file.handle.close();
    }
  };
}
