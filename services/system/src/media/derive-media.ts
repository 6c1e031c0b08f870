import { rm } from 'node:fs/promises';
import { gather } from '@birdhub/shared/gate';
import {
  isProgramMissing,
  type MediaFile,
  openMediaFile,
  posterFile,
  type ToolWork,
} from '@birdhub/shared/media';
import type { RecordingWriter, UnreadableFile } from '@birdhub/shared/recordings';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { makeSpectrogram } from '../spectrograms/make-spectrogram.js';
import type { MediaTools } from './media-tools.js';
import { findMediaVideo, findMediaVideos, type MediaVideo } from './media-videos.store.js';
import { hasPoster, makePoster } from './poster.js';
import { type MediaFacts, probeMedia } from './probe-media.js';

/** What recordings are looked into with. */
export interface MediaParts {
  readonly pool: pg.Pool;
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
/** How long a patient look waits for others, to be looked up with them. */
const patienceMs = 50;
const probeLimitMs = 60_000;
const makeLimitMs = 120_000;

/** How a recording is looked into. */
export interface LookOptions {
  readonly signal: AbortSignal;
  /** Whether what is there already is made anew. */
  readonly isForced?: boolean;
  /** Whether it may wait some ms for others: many at once cost little more than one. */
  readonly isPatient?: boolean;
}

/**
 * What a look into a recording came to: `awaited` when its file has yet to come or to be whole, `unmade` when the file
 * can be read and no poster be made of it.
 */
export type LookOutcome = 'gone' | 'untouched' | 'made' | 'unmade' | 'awaited' | 'absent' | 'unreadable';

/** Looks into the file of a recording, makes what lacks of its poster and spectrogram, and says that it is there. */
export type LookIntoVideo = (videoId: number, options: LookOptions) => Promise<LookOutcome>;

interface OpenVideo extends LookOptions {
  readonly video: MediaVideo;
  readonly file: MediaFile;
}

/** Makes the one way by which files are looked into, whoever asks. */
export function createMediaDeriver(parts: MediaParts): LookIntoVideo {
  const { pool, writer, dataDir, tools, clock, log, waitMs, recordingsDir } = parts;
  const findWithOthers = gather((ids: readonly number[]) => findMediaVideos(pool, ids), patienceMs);

  const isLate = ({ updatedAt }: MediaVideo) => clock.now() - updatedAt.getTime() >= waitMs;

  async function giveUp(videoId: number, reason: string, unreadable?: UnreadableFile): Promise<void> {
    const note = { videoId, state: 'missing' as const, ...(unreadable && { unreadable }) };
    const { changed } = await writer.noteMedia([note]);
    if (changed.length) log.warn({ video_id: videoId, reason }, 'recording without a file that can be read');
  }

  /** What a recording can do without is not worth more than a line in the log; answers whether it was made. */
  async function attempt(
    what: string,
    { video, signal }: OpenVideo,
    make: () => Promise<boolean>,
  ): Promise<boolean> {
    const about = { video_id: video.id };
    try {
      const isMade = await tools.gate(make);
      if (!isMade) log.info(about, `no ${what} could be made`);
      return isMade;
    } catch (error) {
      signal.throwIfAborted();
      if (!isProgramMissing(error)) log.warn({ ...about, err: error }, `${what} not made`);
      return false;
    }
  }

  async function makePosterOf({ video, file, signal }: OpenVideo, facts: MediaFacts): Promise<boolean> {
    const path = posterFile(dataDir, video.id);
    const seconds = video.bestSeconds ?? (facts.seconds ?? 0) / 2;
    const work: ToolWork = { input: file.handle, limitMs: makeLimitMs, signal };
    const isMade = await makePoster(tools.ffmpegPath, path, seconds, work);
    const isGone = (await findMediaVideo(pool, video.id)) === undefined;
    if (isGone) await rm(path, { force: true });
    return isMade;
  }

  async function makeWhatLacks(open: OpenVideo, facts: MediaFacts, isOther: boolean): Promise<LookOutcome> {
    const { video, file, signal } = open;
    const { id, videoPath, spectrogramPath } = video;
    const lacksPoster = facts.hasVideo && (isOther || !(await hasPoster(dataDir, id)));
    const isMade = lacksPoster && (await attempt('poster', open, () => makePosterOf(open, facts)));
    const work: ToolWork = { input: file.handle, limitMs: makeLimitMs, signal };
    if (facts.hasAudio && spectrogramPath === null)
      await attempt('spectrogram', open, () => makeSpectrogram(parts, { id, videoPath, facts }, work));
    if (lacksPoster) return isMade ? 'made' : 'unmade';
    return 'untouched';
  }

  /** Undefined when nobody can read it; `unknown` when the program to tell is not installed. */
  async function probe({ file, signal }: OpenVideo): Promise<MediaFacts | 'unknown' | undefined> {
    const work: ToolWork = { input: file.handle, limitMs: probeLimitMs, signal };
    try {
      return await tools.gate(() => probeMedia(tools.ffprobePath, work));
    } catch (error) {
      if (isProgramMissing(error)) return 'unknown';
      signal.throwIfAborted();
      log.warn({ err: error }, 'recording not looked into');
      return undefined;
    }
  }

  async function derive(open: OpenVideo): Promise<LookOutcome> {
    const { video, file, isForced = false } = open;
    const isOther = isForced || video.media !== 'ready' || video.fileSize !== file.size;
    if (!isOther && (await hasPoster(dataDir, video.id))) return 'untouched';
    const ageMs = clock.now() - file.modifiedMs;
    if (ageMs >= 0 && ageMs < restMs) return 'awaited';
    const facts = await probe(open);
    if (facts === undefined) {
      if (ageMs < arrivalMs && !isLate(video)) return 'awaited';
      await giveUp(video.id, 'unreadable', { sizeBytes: file.size, modifiedMs: file.modifiedMs });
      return 'unreadable';
    }
    const made = facts === 'unknown' ? 'unmade' : await makeWhatLacks(open, facts, isOther);
    const note = { videoId: video.id, state: 'ready' as const, sizeBytes: file.size };
    const { changed } = await writer.noteMedia([note]);
    return made === 'untouched' && changed.length ? 'made' : made;
  }

  return async (videoId, options) => {
    const video = await (options.isPatient ? findWithOthers(videoId) : findMediaVideo(pool, videoId));
    if (!video || video.media === 'purged') return 'gone';
    const file = await openMediaFile(recordingsDir, video.videoPath);
    if (!file) {
      if (video.media === 'pending' && !isLate(video)) return 'awaited';
      if (video.media === 'pending') await giveUp(videoId, 'never arrived');
      return 'absent';
    }
    try {
      return await derive({ ...options, video, file });
    } finally {
      await file.handle.close();
    }
  };
}
