import {
  type CropKey,
  chooseFrame,
  cropName,
  cutPicture,
  isProgramMissing,
  keepCrop,
  listKeptCrops,
  type MediaFacts,
  type MediaFile,
  type Picture,
  readClip,
  shrinkPicture,
  type ToolWork,
} from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { Logger } from 'pino';
import { drawSpectrogram, planSpectrogram, spectrogramBeside } from '../spectrograms/draw-spectrogram.js';
import { placeSpectrogram } from '../spectrograms/place-spectrogram.js';
import type { MediaTools } from './media-tools.js';
import { listSeenDetections, type MediaVideo } from './media-videos.store.js';
import { hasPoster, keepPoster } from './poster.js';

/** What pictures are made with. */
export interface PictureDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'noteSpectrogram'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly tools: Pick<MediaTools, 'ffmpegPath' | 'ffprobePath'>;
  readonly log: Logger;
}

/** A picture of one frame; without a crop it is the poster. */
interface FramePicture {
  readonly name: string;
  readonly seconds: number;
  readonly crop?: CropKey;
}

/** The pictures that a recording could have and does not. */
export interface LackingPictures {
  readonly frames: readonly FramePicture[];
  readonly spectrogram: boolean;
}

/** What became of pictures, by their names. */
export interface PictureResult {
  /** Undefined when the programs are not installed. */
  readonly facts: MediaFacts | undefined;
  readonly made: ReadonlySet<string>;
  /** What trying again cannot make of this file. */
  readonly impossible: ReadonlySet<string>;
}

const posterName = 'poster';
const spectrogramName = 'spectrogram';
const toolTimeoutMs = 120_000;

/** What an earlier reading of the same file came to. */
export type EarlierPictures = Pick<PictureResult, 'made' | 'impossible'>;

/** The pictures that a file lacks and that may be made of it; of another file than before the poster is another too. */
export async function listLackingPictures(
  { pool, dataDir }: Pick<PictureDeps, 'pool' | 'dataDir'>,
  video: MediaVideo,
  file: MediaFile,
  { isOtherFile, earlier }: { readonly isOtherFile: boolean; readonly earlier: EarlierPictures | undefined },
): Promise<LackingPictures> {
  const { id: videoId, bestSeconds, start, end } = video;
  const [seen, kept, isThere] = await Promise.all([
    listSeenDetections(pool, videoId),
    listKeptCrops(dataDir, videoId),
    hasPoster(dataDir, videoId),
  ]);
  const poster = { name: posterName, seconds: bestSeconds ?? (end - start) / 2000 };
  const crops = seen.map(({ id: detectionId, ...detection }): FramePicture => {
    const crop = { videoId, detectionId, ...chooseFrame(detection) };
    return { name: cropName(crop, file), seconds: crop.seconds, crop };
  });
  const isPosterOfFile = isThere && (!isOtherFile || earlier?.made.has(posterName) === true);
  const lacking = [...(isPosterOfFile ? [] : [poster]), ...crops.filter(({ name }) => !kept.has(name))];
  const isPossible = (name: string) => !earlier?.impossible.has(name);
  return {
    frames: lacking.filter(({ name }) => isPossible(name)),
    spectrogram: video.spectrogramPath === null && isPossible(spectrogramName),
  };
}

/**
 * Makes pictures of a file in one reading of it. Undefined when nobody can read the file.
 * @throws the reason of an abort
 */
export async function makePictures(
  deps: PictureDeps,
  video: MediaVideo,
  lacking: LackingPictures,
  work: Pick<ToolWork, 'input' | 'signal' | 'isUrgent'>,
): Promise<PictureResult | undefined> {
  const { tools, dataDir, recordingsDir, writer, log } = deps;
  const run = { ...work, limitMs: toolTimeoutMs };
  const made = new Set<string>();
  /** What the disk did not take may be tried again. */
  const failed = new Set<string>();
  let drawn: Buffer | undefined;

  async function attempt(name: string, make: () => Promise<unknown>): Promise<void> {
    try {
      if ((await make()) !== false) made.add(name);
    } catch (error) {
      work.signal?.throwIfAborted();
      failed.add(name);
      log.warn({ video_id: video.id, err: error }, 'picture of a recording not kept');
    }
  }

  async function keepFrame({ name, crop }: FramePicture, picture: Picture): Promise<void> {
    if (crop) await keepCrop(dataDir, crop, name, await cutPicture(picture, crop.box));
    else await keepPoster(dataDir, video.id, await shrinkPicture(picture));
  }

  async function keepSpectrogram(seconds: number): Promise<boolean> {
    const plan = planSpectrogram(seconds);
    const bytes = drawn ?? (await drawSpectrogram(tools.ffmpegPath, plan, run));
    if (!bytes) return false;
    const path = await placeSpectrogram(recordingsDir, video.videoPath, plan.pxPerSecond, bytes);
    return (await writer.noteSpectrogram(video.id, path)).isKept;
  }

  async function read(): Promise<MediaFacts | undefined> {
    const { frames } = lacking;
    const content = await readClip(
      tools,
      {
        times: frames.map(({ seconds }) => seconds),
        async make(picture, index) {
          const frame = frames[index];
          if (frame) await attempt(frame.name, () => keepFrame(frame, picture));
        },
        drawSound: ({ seconds }) =>
          lacking.spectrogram && seconds !== undefined
            ? spectrogramBeside(planSpectrogram(seconds), (bytes) => {
                drawn = bytes;
              })
            : undefined,
      },
      run,
    );
    const { hasAudio, seconds } = content?.facts ?? {};
    if (lacking.spectrogram && hasAudio && seconds !== undefined)
      await attempt(spectrogramName, () => keepSpectrogram(seconds));
    return content?.facts;
  }

  function isImpossible(name: string): boolean {
    return !made.has(name) && !failed.has(name);
  }

  try {
    const facts = await read();
    if (!facts) return undefined;
    const wanted = [...lacking.frames.map(({ name }) => name), spectrogramName];
    return { facts, made, impossible: new Set(wanted.filter(isImpossible)) };
  } catch (error) {
    if (isProgramMissing(error)) return { facts: undefined, made, impossible: new Set() };
    work.signal?.throwIfAborted();
    log.warn({ video_id: video.id, err: error }, 'recording not read');
    return undefined;
  }
}
