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
  type SizedPictures,
  type SoundSpan,
  shrinkPicture,
  statMediaFile,
  storeCrop,
  storePictureFacts,
  UnusablePhotoError,
} from '@birdhub/domain/media';
import type { ChangeNotifier } from '@birdhub/shared/db';
import type { TimeWindow } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Dependencies of {@link StoredCrops}. */
export interface CropsDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly frameReader: FrameReader;
  readonly ffmpegPath: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** A crop in full size. */
export interface CropOriginal {
  readonly crop: CropKey;
  readonly version: string;
  readonly read: (signal?: AbortSignal) => Promise<Buffer>;
}

/** Images in the order in which they were requested; undefined for each that cannot be decoded. */
type Images = readonly (Buffer | undefined)[];

const soundSize = { width: 640, height: 360 };
const drawTimeoutMs = 60_000;
const measureTimeoutMs = 30_000;
const maxWaitingToMeasure = 32;

/** The interface of {@link StoredCrops}, for fakes in tests. */
export type Crops = Pick<StoredCrops, keyof StoredCrops>;

/** Crops of detections, stored below `DATA_DIR/derived` or created from their videos. */
export class StoredCrops {
  readonly #deps: CropsDeps;
  readonly #sizedPictures: SizedPictures;
  readonly #measuring = pLimit(1);

  constructor(deps: CropsDeps) {
    this.#deps = deps;
    this.#sizedPictures = createSizedPictures({ log: deps.log });
  }

  /** Returns a version that changes with the crop; undefined without a video. */
  async version(videoPath: string, crop: CropKey): Promise<string | undefined> {
    const file = await statMediaFile(this.#deps.recordingsDir, videoPath);
    return file && cropName(crop, file);
  }

  /** Returns the stored crop of a version; undefined when it does not exist yet. */
  readStored(crop: CropKey, version: string): Promise<Buffer | undefined> {
    return readCrop(this.#deps.dataDir, crop, version);
  }

  /**
   * Returns the crops of one recording, or undefined without a video. Missing ones are decoded together.
   * @throws ToolTimeoutError, the reason of an abort
   */
  async read(videoPath: string, crops: readonly CropKey[], signal: AbortSignal): Promise<Images | undefined> {
    const { dataDir, recordingsDir } = this.#deps;
    const file = await statMediaFile(recordingsDir, videoPath);
    if (!file) return undefined;
    const kept = await Promise.all(crops.map((crop) => readCrop(dataDir, crop, cropName(crop, file))));
    const missing = crops.filter((_, index) => !kept[index]);
    if (!missing.length) return kept;
    const made = await this.#makeAll(videoPath, missing, signal);
    return made && kept.map((bytes) => bytes ?? made.shift());
  }

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
  ): Promise<Buffer | undefined> {
    return this.#withFile(videoPath, async (file) => {
      const view = { ...crop.sound, marks: [mark], ...soundSize };
      const work = { input: file.handle, limitMs: drawTimeoutMs, signal };
      const bytes = await drawSoundPicture(this.#deps.ffmpegPath, view, work);
      await this.#store(crop, cropName(crop, file), bytes);
      return bytes;
    });
  }

  /** Returns a resized copy of a crop, and stores it. @throws HubError overloaded, errors of `read` */
  readSized(
    { crop, version, read }: CropOriginal,
    width: PictureWidth,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const stem = cropFile(this.#deps.dataDir, crop, version).replace(/\.jpg$/, '');
    return this.#sizedPictures.get({ stem, read }, width, signal);
  }

  /** Measures a crop of an older version of a recording in the background, unless many are queued. */
  measure(crop: CropKey, { start, end }: TimeWindow, read: (signal: AbortSignal) => Promise<Buffer>): void {
    const { pool, notifier, log } = this.#deps;
    if (this.#measuring.pendingCount >= maxWaitingToMeasure) return;
    const work = this.#measuring(async () => {
      const facts = await measurePicture(await read(AbortSignal.timeout(measureTimeoutMs)));
      await storePictureFacts(pool, crop, facts);
      notifier.notify({ kind: 'recordings', from: start, to: end });
    });
    work.catch((error: unknown) => log.warn({ err: error }, 'picture of detection not measured'));
  }

  /**
   * Returns full frames at times in seconds from the start of a recording, without storing them; undefined without a
   * video.
   */
  readFrames(videoPath: string, times: readonly number[], signal: AbortSignal): Promise<Images | undefined> {
    return this.#withFile(videoPath, ({ handle }) =>
      this.#deps.frameReader.read(handle, times, (picture) => cutPicture(picture, undefined), signal),
    );
  }

  /** Creates and stores crops of one recording; undefined without a video. */
  #makeAll(videoPath: string, crops: readonly CropKey[], signal: AbortSignal) {
    return this.#withFile(videoPath, async (file) => {
      const isPhoto = mediaKindOf(videoPath) === 'image';
      const made = isPhoto
        ? await cutPhoto(file, crops)
        : await this.#deps.frameReader.read(
            file.handle,
            crops.map(({ seconds }) => seconds),
            (picture, at) => cutPicture(picture, crops[at]?.box),
            signal,
          );
      await Promise.all(crops.map((crop, at) => this.#store(crop, cropName(crop, file), made[at])));
      return made;
    });
  }

  /** Stores a crop; a full disk does not fail the request. */
  async #store(crop: CropKey, name: string, bytes: Buffer | undefined): Promise<void> {
    const { dataDir, log } = this.#deps;
    if (!bytes) return;
    await storeCrop(dataDir, crop, name, bytes).catch((error: unknown) =>
      log.warn({ err: error }, 'crop not stored'),
    );
  }

  async #withFile<T>(videoPath: string, use: (file: MediaFile) => Promise<T>): Promise<T | undefined> {
    const file = await openMediaFile(this.#deps.recordingsDir, videoPath);
    try {
      return file && (await use(file));
    } finally {
      await file?.handle.close();
    }
  }
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
