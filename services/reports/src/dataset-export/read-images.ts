import type { CropKey } from '@birdhub/domain/media';
import type { Crops } from '../detection-crop/crops.js';
import type { DatasetRecording } from './dataset.store.js';
import type { Choice, DatasetImage, WantedImage } from './dataset-image.js';
import { mapAhead } from './map-ahead.js';
import { skip } from './plan-dataset.js';

/** How a format chooses pictures of a recording and gets their bytes. */
export interface ImageKind {
  readonly choose: (recording: DatasetRecording, choice: Choice) => WantedImage[];
  /** Undefined for those that cannot be decoded, or for all when there is no video. */
  readonly read: (
    crops: Crops,
    images: readonly WantedImage[],
    signal: AbortSignal,
  ) => Promise<readonly (Buffer | undefined)[] | undefined>;
}

/** Pictures that are in memory together. */
const imagesAtOnce = 32;
const partsAhead = 4;

/** Pictures of one recording, not too many. */
async function* inParts(
  recordings: AsyncIterable<DatasetRecording>,
  choose: (recording: DatasetRecording) => readonly WantedImage[],
): AsyncGenerator<readonly WantedImage[]> {
  for await (const recording of recordings) {
    const images = choose(recording);
    for (let start = 0; start < images.length; start += imagesAtOnce)
      yield images.slice(start, start + imagesAtOnce);
  }
}

/** The pictures of recordings, in order; what is left out is counted. */
export async function* readImages(
  recordings: AsyncIterable<DatasetRecording>,
  kind: ImageKind,
  choice: Choice,
  crops: Crops,
  signal: AbortSignal,
): AsyncGenerator<DatasetImage> {
  const parts = inParts(recordings, (recording) => kind.choose(recording, choice));
  const read = async (images: readonly WantedImage[]) => {
    signal.throwIfAborted();
    return { images, pictures: await kind.read(crops, images, signal) };
  };
  for await (const { images, pictures } of mapAhead(parts, partsAhead, read)) {
    for (const [at, image] of images.entries()) {
      const bytes = pictures?.[at];
      if (bytes) yield { ...image, bytes };
      else skip(choice.skipped, pictures ? 'undecodable' : 'media_missing');
    }
  }
}

const pathOf = (images: readonly WantedImage[]) => images[0]?.recording.videoPath ?? '';

/** The crop around the first bird of a picture. */
export function cropOf({
  recording: { videoId },
  seconds,
  labels: [{ detection, box }],
}: WantedImage): CropKey {
  return { videoId, detectionId: detection.id, seconds, box };
}

/** One picture a detection. */
export const readCropsOf: ImageKind['read'] = (crops, images, signal) =>
  crops.read(pathOf(images), images.map(cropOf), signal);

/** Whole frames. */
export const readFramesOf: ImageKind['read'] = (crops, images, signal) =>
  crops.readFrames(
    pathOf(images),
    images.map(({ seconds }) => seconds),
    signal,
  );
