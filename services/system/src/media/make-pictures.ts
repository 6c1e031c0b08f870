import {
  type CropKey,
  chooseFrame,
  cropName,
  cutPicture,
  decodePhotoFile,
  drawSoundPicture,
  isProgramMissing,
  listStoredCrops,
  listUnmeasured,
  type MediaFacts,
  type MediaFile,
  measurePicture,
  mediaKindOf,
  type Picture,
  readClip,
  readCrop,
  type SoundSpan,
  shrinkPicture,
  storeCrop,
  storePictureFacts,
  type ToolWork,
} from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MediaTools } from './media-tools.js';
import {
  hasKeyedPoster,
  hasPoster,
  listSpans,
  listVideoDetections,
  type MediaVideo,
  storeKeyedPoster,
  storePoster,
} from './media-videos.js';
import { drawSpectrogram, planSpectrogram, spectrogramOutput, storeSpectrogram } from './spectrogram.js';

/** Dependencies for making pictures. */
export interface PictureDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'saveSpectrogram'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly tools: Pick<MediaTools, 'ffmpegPath' | 'ffprobePath'>;
  readonly log: Logger;
}

/** A picture of one frame: a crop, or else the poster. */
interface FramePicture {
  readonly name: string;
  readonly seconds: number;
  readonly crop?: CropKey;
}

/** The missing pictures of a recording. Without frames, the poster is a spectrogram. */
export interface MissingPictures {
  readonly frames: readonly FramePicture[];
  readonly spectrogram: boolean;
  /** Detections marked in a spectrogram poster. */
  readonly marks: readonly SoundSpan[];
}

/** The result of making pictures, by name. */
export interface PictureResult {
  /** Undefined when the tools are not installed. */
  readonly facts: MediaFacts | undefined;
  readonly made: ReadonlySet<string>;
  /** Pictures that cannot be made of this file and are not tried again. */
  readonly impossible: ReadonlySet<string>;
}

/** Measures a crop and stores the result. A failure is only logged. */
async function measureCrop(
  { pool, log }: Pick<PictureDeps, 'pool' | 'log'>,
  crop: CropKey,
  bytes: Buffer,
): Promise<void> {
  try {
    await storePictureFacts(pool, crop, await measurePicture(bytes));
  } catch (error) {
    log.warn({ video_id: crop.videoId, err: error }, 'picture of detection not measured');
  }
}

/** Measures stored crops of a recording from older versions; returns their number. */
export async function measureStoredCrops(
  deps: Pick<PictureDeps, 'pool' | 'dataDir' | 'log'>,
  { id: videoId }: MediaVideo,
  file: MediaFile,
  signal: AbortSignal | undefined,
): Promise<number> {
  const detections = await listVideoDetections(deps.pool, videoId);
  const unmeasured = await listUnmeasured(
    deps.pool,
    detections.map(({ id }) => id),
  );
  let measured = 0;
  for (const { id: detectionId, ...detection } of detections) {
    signal?.throwIfAborted();
    if (!unmeasured.has(detectionId)) continue;
    const crop = { videoId, detectionId, ...chooseFrame(detection) };
    const bytes = await readCrop(deps.dataDir, crop, cropName(crop, file));
    if (!bytes) continue;
    await measureCrop(deps, crop, bytes);
    measured += 1;
  }
  return measured;
}

const posterName = 'poster';
const spectrogramName = 'spectrogram';
const toolTimeoutMs = 120_000;
const posterSize = { width: 1_280, height: 720 };

/** A still picture counts as one frame. */
const photoFacts: MediaFacts = { hasVideo: true, hasAudio: false, seconds: undefined };

/** The result of an earlier run for the same file. */
export type EarlierPictures = Pick<PictureResult, 'made' | 'impossible'>;

/** Returns the missing pictures of a recording that can be made of its file. A replaced file needs a new poster. */
export async function listMissingPictures(
  { pool, dataDir }: Pick<PictureDeps, 'pool' | 'dataDir'>,
  video: MediaVideo,
  file: MediaFile,
  { isOtherFile, earlier }: { readonly isOtherFile: boolean; readonly earlier: EarlierPictures | undefined },
): Promise<MissingPictures> {
  const { id: videoId, bestSeconds, start, end } = video;
  const kind = mediaKindOf(video.videoPath);
  const isAudio = kind === 'audio';
  const marks = await listSpans(pool, videoId);
  const [detections, kept, isThere] = await Promise.all([
    isAudio ? [] : listVideoDetections(pool, videoId),
    listStoredCrops(dataDir, videoId),
    isAudio
      ? hasKeyedPoster(dataDir, videoId, file, JSON.stringify(marks))
      : hasPoster(dataDir, videoId, file),
  ]);
  const poster = { name: posterName, seconds: bestSeconds ?? (end - start) / 2000 };
  const crops = detections.map(({ id: detectionId, ...detection }): FramePicture => {
    const crop = { videoId, detectionId, ...chooseFrame(detection) };
    return { name: cropName(crop, file), seconds: crop.seconds, crop };
  });
  const isPosterOfFile = isThere && (!isOtherFile || earlier?.made.has(posterName) === true);
  // Crops without a box are created on demand, as a sighting may have many birds.
  const aheadOfRequests = kind === 'image' ? crops.filter(({ crop }) => crop?.box) : crops;
  const missing = [
    ...(isPosterOfFile ? [] : [poster]),
    ...aheadOfRequests.filter(({ name }) => !kept.has(name)),
  ];
  const isPossible = (name: string) => !earlier?.impossible.has(name);
  return {
    frames: missing.filter(({ name }) => isPossible(name)),
    spectrogram: kind !== 'image' && video.spectrogramPath === null && isPossible(spectrogramName),
    marks,
  };
}

/**
 * Makes pictures of a file in one pass. Returns undefined when the file cannot be read.
 * @throws the reason of the signal
 */
export async function makePictures(
  deps: PictureDeps,
  video: MediaVideo,
  missing: MissingPictures,
  work: PictureWork,
): Promise<PictureResult | undefined> {
  const pass = new PicturePass(deps, video, missing, work);
  try {
    const facts = await pass.read();
    return facts && { facts, made: pass.made, impossible: pass.impossible() };
  } catch (error) {
    if (isProgramMissing(error)) return { facts: undefined, made: pass.made, impossible: new Set() };
    work.signal?.throwIfAborted();
    deps.log.warn({ video_id: video.id, err: error }, 'recording not readable');
    return undefined;
  }
}

type PictureWork = Pick<ToolWork, 'input' | 'signal' | 'isUrgent'>;

/** One pass over the file of a recording, which makes its missing pictures. */
class PicturePass {
  /** Names of the pictures that were stored. */
  readonly made = new Set<string>();
  readonly #deps: PictureDeps;
  readonly #video: MediaVideo;
  readonly #missing: MissingPictures;
  readonly #work: PictureWork & Pick<ToolWork, 'limitMs'>;
  /** Pictures that could not be written and may be retried. */
  readonly #failed = new Set<string>();
  /** The spectrogram, if it was drawn while frames were read. */
  #drawn: Buffer | undefined;

  constructor(deps: PictureDeps, video: MediaVideo, missing: MissingPictures, work: PictureWork) {
    this.#deps = deps;
    this.#video = video;
    this.#missing = missing;
    this.#work = { ...work, limitMs: toolTimeoutMs };
  }

  /** Makes the pictures; returns undefined when the file cannot be read. */
  async read(): Promise<MediaFacts | undefined> {
    if (mediaKindOf(this.#video.videoPath) === 'image') return this.#readPhoto();
    const { frames, spectrogram } = this.#missing;
    const facts = await this.#readFrames();
    const { hasVideo, hasAudio, seconds } = facts ?? {};
    if (!hasAudio || seconds === undefined) return facts;
    if (spectrogram) await this.#attempt(spectrogramName, () => this.#storeSpectrogram(seconds));
    if (hasVideo === false && frames.some(({ name }) => name === posterName))
      await this.#attempt(posterName, () => this.#storeSoundPoster(seconds));
    return facts;
  }

  /** Returns the pictures that cannot be made of the file. */
  impossible(): Set<string> {
    const wanted = [...this.#missing.frames.map(({ name }) => name), spectrogramName];
    return new Set(wanted.filter((name) => !this.made.has(name) && !this.#failed.has(name)));
  }

  async #readPhoto(): Promise<MediaFacts> {
    const picture = await decodePhotoFile(this.#work.input);
    for (const frame of this.#missing.frames) await this.#storeFrame(frame, picture);
    return photoFacts;
  }

  async #readFrames(): Promise<MediaFacts | undefined> {
    const { frames, spectrogram } = this.#missing;
    const content = await readClip(
      this.#deps.tools,
      {
        times: frames.map(({ seconds }) => seconds),
        make: async (picture, index) => {
          const frame = frames[index];
          if (frame) await this.#storeFrame(frame, picture);
        },
        drawSound: ({ seconds }) =>
          spectrogram && seconds !== undefined
            ? spectrogramOutput(planSpectrogram(seconds), (bytes) => {
                this.#drawn = bytes;
              })
            : undefined,
      },
      this.#work,
    );
    return content?.facts;
  }

  async #attempt(name: string, make: () => Promise<unknown>): Promise<void> {
    try {
      if ((await make()) !== false) this.made.add(name);
    } catch (error) {
      this.#work.signal?.throwIfAborted();
      this.#failed.add(name);
      this.#deps.log.warn({ video_id: this.#video.id, err: error }, 'picture of recording not stored');
    }
  }

  #storeFrame({ name, crop }: FramePicture, picture: Picture): Promise<void> {
    const { dataDir } = this.#deps;
    return this.#attempt(name, async () => {
      if (!crop) return storePoster(dataDir, this.#video.id, await shrinkPicture(picture));
      const bytes = await cutPicture(picture, crop.box);
      await storeCrop(dataDir, crop, name, bytes);
      await measureCrop(this.#deps, crop, bytes);
    });
  }

  async #storeSpectrogram(seconds: number): Promise<boolean> {
    const { tools, recordingsDir, writer } = this.#deps;
    const { id, videoPath } = this.#video;
    const plan = planSpectrogram(seconds);
    const bytes = this.#drawn ?? (await drawSpectrogram(tools.ffmpegPath, plan, this.#work));
    if (!bytes) return false;
    const path = await storeSpectrogram(recordingsDir, videoPath, plan.pxPerSecond, bytes);
    return (await writer.saveSpectrogram(id, path)).isSaved;
  }

  async #storeSoundPoster(seconds: number): Promise<boolean> {
    const { tools, dataDir } = this.#deps;
    const { marks } = this.#missing;
    const view = { from: 0, to: seconds, marks, ...posterSize };
    const bytes = await drawSoundPicture(tools.ffmpegPath, view, this.#work);
    if (bytes) await storeKeyedPoster(dataDir, this.#video.id, { bytes, key: JSON.stringify(marks) });
    return bytes !== undefined;
  }
}
