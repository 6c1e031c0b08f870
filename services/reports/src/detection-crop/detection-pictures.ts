import {
  type CropKey,
  chooseFrame,
  mediaKindOf,
  type PictureRequests,
  type PictureWidth,
  type SoundSpan,
  ToolTimeoutError,
} from '@birdhub/domain/media';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type { TimeWindow } from '@birdhub/shared/time';
import type { Crops } from './crops.js';
import type { CropDetection } from './detection-crop.store.js';

/** Dependencies of the pictures. */
export interface DetectionPicturesDeps {
  readonly crops: Crops;
  readonly pictures: PictureRequests;
}

/** One of the pictures of a detection. */
export interface DetectionView {
  readonly crop: CropKey;
  /** Whether it is the usual picture of the detection, not the full frame of a detection with a box. */
  readonly isUsual: boolean;
}

const reasons: Record<CropDetection['media'] | 'damaged', string> = {
  pending: 'the file of its recording has not arrived yet',
  ready: 'the file of its recording is missing',
  missing: 'the file of its recording is missing',
  purged: 'the file of its recording was deleted to free space',
  none: 'the sighting was posted without one',
  damaged: 'the file of its recording cannot be decoded',
};

const noPicture = (reason: keyof typeof reasons) =>
  new HubError('picture_missing', {
    message: `There is no picture: ${reasons[reason]}.`,
    extra: { reason: reason === 'ready' ? 'missing' : reason },
  });

const pendingPicture = (videoId: number) =>
  new HubError('media_pending', {
    message: 'The pictures of this recording are being made.',
    retryAfterSeconds: 5,
    extra: { video_id: videoId },
  });

const retryAfterSeconds = 10;
const decodeLimits = { max: 2, maxWaiting: 64, waitTimeoutMs: 15_000, retryAfterSeconds };

const minSoundSeconds = 3;
const soundMarginSeconds = 0.5;

/** Returns the part of the audio that the picture of an audio detection shows. */
function partOfSound({ startOffset, endOffset, recordingSeconds }: CropDetection): SoundSpan {
  const wanted = Math.max(minSoundSeconds, endOffset - startOffset + 2 * soundMarginSeconds);
  const end = Math.max(recordingSeconds, endOffset);
  const length = Math.min(end, wanted) || minSoundSeconds;
  const from = Math.min(Math.max(0, (startOffset + endOffset - length) / 2), Math.max(0, end - length));
  return { from, to: from + length };
}

/** Returns the time span of the recording. */
function spanOf({ recordingStart, recordingSeconds }: CropDetection): TimeWindow {
  const start = recordingStart.getTime();
  return { start, end: start + Math.round(recordingSeconds * 1_000) };
}

/**
 * Returns the picture to show: a spectrogram if the bird was heard, else the frame or a crop of it.
 * @throws HubError picture_missing for a detection without a file
 */
export function viewOf(detection: CropDetection, { isFull }: { readonly isFull: boolean }): DetectionView {
  const { id: detectionId, videoId, source, videoPath, media } = detection;
  if (media === 'none') throw noPicture(media);
  const { seconds, box } = chooseFrame(detection);
  const kind = mediaKindOf(videoPath);
  const isHeard = kind === 'audio' || (kind === 'video' && source === 'audio');
  const crop: CropKey = {
    videoId,
    detectionId,
    seconds,
    box: isFull || isHeard ? undefined : box,
    ...(isHeard && { sound: partOfSound(detection) }),
  };
  return { crop, isUsual: crop.box !== undefined || box === undefined };
}

/** Returns pictures of detections, and creates them if necessary. */
export class DetectionPictures {
  readonly #crops: Crops;
  readonly #requests: PictureRequests;
  readonly #flights = createSingleFlight<Buffer>();
  readonly #limiter = createLimiter(decodeLimits);

  constructor({ crops, pictures }: DetectionPicturesDeps) {
    this.#crops = crops;
    this.#requests = pictures;
  }

  /** Returns a version that changes with the picture. @throws HubError picture_missing */
  async version({ videoPath, media }: CropDetection, { crop }: DetectionView): Promise<string> {
    const version = await this.#crops.version(videoPath, crop);
    if (version === undefined) throw noPicture(media);
    return version;
  }

  /**
   * Returns a picture, or a smaller copy if a width is given.
   * @throws HubError picture_missing, media_pending, overloaded; the reason of an abort
   */
  async get(
    detection: CropDetection,
    view: DetectionView & { readonly version: string },
    width: PictureWidth | undefined,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { crop, version, isUsual } = view;
    const read = (until = signal) => this.#read(detection, view, until);
    try {
      const picture =
        width === undefined
          ? await read()
          : await this.#crops.readSized({ crop, version, read }, width, signal);
      if (!crop.sound && !detection.isMeasured && isUsual) this.#crops.measure(crop, spanOf(detection), read);
      return picture;
    } catch (error) {
      if (!(error instanceof ToolTimeoutError)) throw error;
      throw new HubError('overloaded', { retryAfterSeconds, cause: error });
    }
  }

  async #read(
    detection: CropDetection,
    { crop, version, isUsual }: DetectionView & { readonly version: string },
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { videoPath } = detection;
    const kept = await this.#crops.readStored(crop, version);
    if (kept) return kept;
    const { sound } = crop;
    if (sound) return this.#draw(detection, { ...crop, sound }, version, signal);
    // The full frame of a photo, or of a detection with a box, is rarely requested, so it is not created in advance.
    const isMadeAhead = isUsual && (crop.box !== undefined || mediaKindOf(videoPath) !== 'image');
    const outcome = isMadeAhead ? await this.#requests.request(crop.videoId) : 'unavailable';
    const made = outcome === 'unavailable' ? undefined : await this.#crops.readStored(crop, version);
    if (made) return made;
    if (outcome === 'late') throw pendingPicture(crop.videoId);
    return this.#make(version, signal, async (until) => {
      const [bytes] = (await this.#crops.read(videoPath, [crop], until)) ?? [];
      return bytes;
    });
  }

  #draw(
    { videoPath, startOffset, endOffset }: CropDetection,
    crop: CropKey & { readonly sound: SoundSpan },
    version: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const mark = { from: startOffset, to: endOffset };
    return this.#make(version, signal, (until) => this.#crops.drawSound(videoPath, crop, mark, until));
  }

  /** Makes a picture once for concurrent requests. @throws HubError picture_missing, overloaded */
  #make(
    version: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Buffer | undefined>,
  ): Promise<Buffer> {
    const make = async (shared: AbortSignal) => {
      const bytes = await this.#limiter.run(() => work(shared), { signal: shared });
      if (!bytes) throw noPicture('damaged');
      return bytes;
    };
    return this.#flights.run(version, make, signal);
  }
}
