import {
  type CropKey,
  createSizedPictures,
  cropFile,
  cropName,
  cutPicture,
  decodePhotoFile,
  drawSoundPicture,
  type FrameReader,
  type MediaFile,
  measurePicture,
  mediaKindOf,
  openMediaFile,
  type PictureWidth,
  readCrop,
  type SoundSpan,
  shrinkPicture,
  statMediaFile,
  storeCrop,
  storePictureFacts,
  UnusablePhotoError,
} from '@birdhub/domain/media';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Dependencies of {@link createCrops}. */
export interface CropsDeps {
  readonly pool: pg.Pool;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly frameReader: FrameReader;
  readonly ffmpegPath: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Crops of detections, stored or created from their videos. */
export interface Crops {
  /** Returns a version that changes with the crop; undefined without a video. */
  version(videoPath: string, crop: CropKey): Promise<string | undefined>;
  /** Returns the stored crop of a version; undefined when it does not exist yet. */
  readStored(crop: CropKey, version: string): Promise<Buffer | undefined>;
  /**
   * Returns the crops of one recording. Missing ones are decoded together; undefined for those whose frame cannot be
   * decoded, or for all without a video.
   * @throws ToolTimeoutError, the reason of an abort
   */
  read(
    videoPath: string,
    crops: readonly CropKey[],
    signal: AbortSignal,
  ): Promise<readonly (Buffer | undefined)[] | undefined>;
  /**
   * Returns the spectrogram of a part of the audio with a marked span, and stores it; undefined when the audio cannot
   * be decoded or there is no file.
   * @throws ToolTimeoutError, the reason of an abort
   */
  drawSound(
    videoPath: string,
    crop: CropKey & { readonly sound: SoundSpan },
    mark: SoundSpan,
    signal: AbortSignal,
  ): Promise<Buffer | undefined>;
  /** Returns a resized copy of a crop, and stores it. @throws HubError overloaded, what `read` throws */
  readSized(original: CropOriginal, width: PictureWidth, signal: AbortSignal): Promise<Buffer>;
  /** Measures a crop of an older version in the background, unless many are queued. */
  measure(crop: CropKey, read: (signal: AbortSignal) => Promise<Buffer>): void;
  /**
   * Returns whole frames at times in seconds from the start of a recording, which are not stored; undefined as for
   * {@link read}.
   */
  readFrames(
    videoPath: string,
    times: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly (Buffer | undefined)[] | undefined>;
}

/** A crop in full size. */
export interface CropOriginal {
  readonly crop: CropKey;
  readonly version: string;
  readonly read: (signal?: AbortSignal) => Promise<Buffer>;
}

/** Returns crops of the picture of a sighting; all undefined when it cannot be decoded. */
async function cutPhoto({ handle }: MediaFile, crops: readonly CropKey[]): Promise<(Buffer | undefined)[]> {
  try {
    const picture = await decodePhotoFile(handle);
    const cut = ({ box }: CropKey) => (box ? cutPicture(picture, box) : shrinkPicture(picture));
    return await Promise.all(crops.map(cut));
  } catch (error) {
    if (error instanceof UnusablePhotoError) return crops.map(() => undefined);
    throw error;
  }
}

const soundSize = { width: 640, height: 360 };
const drawTimeoutMs = 60_000;
const measureTimeoutMs = 30_000;
const maxWaitingToMeasure = 32;

/** Creates the crops, which are stored below `DATA_DIR/derived`. */
export function createCrops(deps: CropsDeps): Crops {
  const { pool, dataDir, recordingsDir, frameReader, ffmpegPath, log } = deps;
  const sizedPictures = createSizedPictures({ log });
  const measuring = pLimit(1);

  /** Stores a crop; a full disk does not fail the request. */
  async function keep(crop: CropKey, name: string, bytes: Buffer | undefined) {
    if (!bytes) return;
    await storeCrop(dataDir, crop, name, bytes).catch((error: unknown) =>
      log.warn({ err: error }, 'crop not stored'),
    );
  }

  async function withFile<T>(
    videoPath: string,
    use: (file: MediaFile) => Promise<T>,
  ): Promise<T | undefined> {
    const file = await openMediaFile(recordingsDir, videoPath);
    try {
      return file && (await use(file));
    } finally {
      await file?.handle.close();
    }
  }

  /** Creates and stores crops of one recording; undefined without a video. */
  function makeAll(videoPath: string, crops: readonly CropKey[], signal: AbortSignal) {
    return withFile(videoPath, async (file) => {
      const isPhoto = mediaKindOf(videoPath) === 'image';
      const made = isPhoto
        ? await cutPhoto(file, crops)
        : await frameReader.read(
            file.handle,
            crops.map(({ seconds }) => seconds),
            (picture, at) => cutPicture(picture, crops[at]?.box),
            signal,
          );
      await Promise.all(crops.map((crop, at) => keep(crop, cropName(crop, file), made[at])));
      return made;
    });
  }

  return {
    async version(videoPath, crop) {
      const file = await statMediaFile(recordingsDir, videoPath);
      return file && cropName(crop, file);
    },

    readStored: (crop, version) => readCrop(dataDir, crop, version),

    async read(videoPath, crops, signal) {
      const file = await statMediaFile(recordingsDir, videoPath);
      if (!file) return undefined;
      const kept = await Promise.all(crops.map((crop) => readCrop(dataDir, crop, cropName(crop, file))));
      const missing = crops.filter((_, index) => !kept[index]);
      if (!missing.length) return kept;
      const made = await makeAll(videoPath, missing, signal);
      return made && kept.map((bytes) => bytes ?? made.shift());
    },

    drawSound: (videoPath, crop, mark, signal) =>
      withFile(videoPath, async (file) => {
        const view = { ...crop.sound, marks: [mark], ...soundSize };
        const work = { input: file.handle, limitMs: drawTimeoutMs, signal };
        const bytes = await drawSoundPicture(ffmpegPath, view, work);
        await keep(crop, cropName(crop, file), bytes);
        return bytes;
      }),

    readSized({ crop, version, read }, width, signal) {
      const stem = cropFile(dataDir, crop, version).replace(/\.jpg$/, '');
      return sizedPictures.get({ stem, read }, width, signal);
    },

    measure(crop, read) {
      if (measuring.pendingCount >= maxWaitingToMeasure) return;
      const work = measuring(async () => {
        const facts = await measurePicture(await read(AbortSignal.timeout(measureTimeoutMs)));
        await storePictureFacts(pool, crop, facts);
      });
      work.catch((error: unknown) => log.warn({ err: error }, 'picture of a detection not measured'));
    },

    readFrames: (videoPath, times, signal) =>
      withFile(videoPath, ({ handle }) =>
        frameReader.read(handle, times, (picture) => cutPicture(picture, undefined), signal),
      ),
  };
}
