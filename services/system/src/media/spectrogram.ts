import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, posix, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type ItemJobKind, type ItemResult, jobProblem } from '@birdhub/domain/jobs';
import {
  addScale,
  canonicalVideoPath,
  drawSpectrum,
  encodePicture,
  hasMediaFile,
  isForeignRecordingPath,
  isRecordingPath,
  maxDrawnSeconds,
  maxKilohertz,
  recordingFile,
  type SideOutput,
  type ToolWork,
} from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import { isCompleteJpeg, type MediaTools, probeMedia } from './media-tools.js';
import { type MediaVideo, withVideoFile, writeAtomically } from './media-videos.js';

/** The dimensions of a spectrogram of the entire audio; time runs from left to right. */
export interface SpectrogramPlan {
  /** At least 1 for audio of up to four hours and 26 minutes; less than 1 with two decimals for longer audio. */
  readonly pxPerSecond: number;
  readonly seconds: number;
  readonly width: number;
}

const defaultPxPerSecond = 100;
/** Browsers do not display wider pictures. */
const maxWidth = 16_000;
const height = 256;
/** In Hz; birds sing below half of this rate. */
const sampleRate = maxKilohertz * 2_000;
const quality = ['-q:v', '4'];

/** Returns the dimensions for a length of audio: the longer, the fewer pixels per second. */
export function planSpectrogram(seconds: number): SpectrogramPlan {
  const scale = maxWidth / seconds;
  const rounded = scale >= 1 ? Math.floor(scale) : Math.max(0.01, Math.floor(scale * 100) / 100);
  const pxPerSecond = Math.min(defaultPxPerSecond, rounded);
  return { pxPerSecond, seconds, width: Math.max(1, Math.min(maxWidth, Math.round(seconds * pxPerSecond))) };
}

/**
 * Returns the spectrogram of a file as a JPEG; undefined when the audio cannot be decoded.
 * @throws ToolTimeoutError, or an error when the program is not installed
 */
export async function drawSpectrogram(
  ffmpegPath: string,
  { seconds, width }: SpectrogramPlan,
  work: ToolWork,
): Promise<Buffer | undefined> {
  const picture = await drawSpectrum(ffmpegPath, { from: 0, to: seconds, width, height }, work);
  return picture && encodePicture(picture);
}

/**
 * Returns the same picture as a side output of reading frames; `take` receives it on success. Undefined for audio that
 * is too long to be processed in memory.
 */
export function spectrogramOutput(
  { seconds, width }: SpectrogramPlan,
  take: (bytes: Buffer) => void,
): SideOutput | undefined {
  if (seconds > maxDrawnSeconds) return undefined;
  const graph =
    `[1:a:0]aresample=${sampleRate},aformat=channel_layouts=mono,` +
    `showspectrumpic=s=${width}x${height}:legend=0:scale=log:color=viridis[side]`;
  return {
    input: ['-t', seconds.toFixed(3)],
    graph,
    output: [...quality, '-frames:v', '1', '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-f', 'image2pipe'],
    async read(output) {
      const bytes = await buffer(output);
      if (isCompleteJpeg(bytes)) take(bytes);
    },
  };
}

/**
 * Writes a spectrogram next to its video. Returns its path for the database.
 * @throws an error of the file system, for example when the recordings are read-only
 */
export async function storeSpectrogram(
  recordingsDir: string,
  videoPath: string,
  pxPerSecond: number,
  bytes: Buffer,
): Promise<string> {
  const root = await realpath(recordingsDir);
  const folder = await realpath(dirname(recordingFile(root, videoPath)));
  if (folder !== root && !folder.startsWith(root + sep))
    throw new Error('the folder is outside the recordings');
  const name = spectrogramName(posix.basename(videoPath), pxPerSecond, await readdir(folder));
  await writeAtomically(join(folder, name), addScale(bytes, maxKilohertz));
  return canonicalVideoPath(posix.join(posix.dirname(videoPath), name));
}

/** Returns the file name of a spectrogram, prefixed with the video's name if videos share a folder. */
export function spectrogramName(
  videoName: string,
  pxPerSecond: number,
  neighbours: readonly string[],
): string {
  const name = `spectrogram_${pxPerSecond}.jpg`;
  const isAlone = neighbours.every(
    (other) => other === videoName || !(isRecordingPath(other) || isForeignRecordingPath(other)),
  );
  return isAlone ? name : `${basename(videoName, extname(videoName))}.${name}`;
}

/** Dependencies of the job. */
export interface SpectrogramJobDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly writer: Pick<RecordingWriter, 'saveSpectrogram'>;
}

const limitMs = 300_000;

/** Creates the job that makes missing spectrograms of recordings with audio. */
export function createSpectrogramJob(deps: SpectrogramJobDeps): ItemJobKind {
  const { recordingsDir, tools, writer } = deps;

  async function hasSpectrogram({ spectrogramPath }: MediaVideo): Promise<boolean> {
    return spectrogramPath !== null && (await hasMediaFile(recordingsDir, spectrogramPath));
  }

  /** Returns whether the spectrogram was created and stored. */
  async function make({ id, videoPath }: MediaVideo, seconds: number, work: ToolWork): Promise<boolean> {
    const plan = planSpectrogram(seconds);
    const bytes = await drawSpectrogram(tools.ffmpegPath, plan, work);
    if (!bytes) return false;
    const path = await storeSpectrogram(recordingsDir, videoPath, plan.pxPerSecond, bytes);
    return (await writer.saveSpectrogram(id, path)).isSaved;
  }

  return {
    name: 'spectrograms',
    work: (videoId, { force, signal }) =>
      withVideoFile(deps, videoId, async (video, { handle }): Promise<ItemResult> => {
        if (!force && (await hasSpectrogram(video))) return { outcome: 'skipped' };
        const work = { input: handle, limitMs, signal };
        const facts = await tools.limit(() => probeMedia(tools.ffprobePath, work));
        if (!facts) return { outcome: 'failed', reason: jobProblem('file_unreadable') };
        if (!facts.hasAudio) return { outcome: 'skipped' };
        const { seconds } = facts;
        const isMade = seconds !== undefined && (await tools.limit(() => make(video, seconds, work)));
        return isMade
          ? { outcome: 'generated' }
          : { outcome: 'failed', reason: jobProblem('sound_undecodable') };
      }),
  };
}
