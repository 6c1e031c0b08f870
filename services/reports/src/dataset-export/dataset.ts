import type { CropKey } from '@birdhub/domain/media';
import type pg from 'pg';
import { mapAhead } from '../archive/map-ahead.js';
import type { ArchiveFile } from '../archive/write-zip.js';
import type { Crops } from '../detection-crop/crops.js';
import { type DatasetRecording, readRecordings } from './dataset.store.js';
import type { DatasetFormat } from './dataset-export.schema.js';
import { DatasetTally, datasetInfo, labelHeader, labelRows, layouts } from './dataset-files.js';
import { type DatasetPlan, type DatasetRequest, type Split, skip } from './dataset-plan.js';
import type { DatasetPreview } from './dataset-preview.schema.js';
import {
  type DatasetImage,
  type SelectedImage,
  type Selection,
  selectCrops,
  selectFrames,
  toSelection,
} from './select-images.js';
import { Spool } from './spool.js';

/** Dependencies for writing a data set. */
export interface DatasetDeps {
  readonly readPool: pg.Pool;
  readonly crops: Crops;
}

const labelsFile = 'labels.csv';

/** Yields the files of a data set: images first, then labels and `dataset_info.json`; none without images. */
export async function* writeDataset(
  { readPool, crops }: DatasetDeps,
  request: DatasetRequest,
  plan: DatasetPlan,
  signal: AbortSignal,
): AsyncGenerator<ArchiveFile> {
  const spool = await Spool.create();
  try {
    const layout = layouts[request.format](plan.classes, spool);
    const tally = new DatasetTally();
    await spool.append(labelsFile, labelHeader);
    const selection = toSelection(plan, request);
    const recordings = readRecordings(readPool, request.search, [...selection.classes.keys()]);
    for await (const image of readImages(
      recordings,
      imageSources[request.format],
      selection,
      crops,
      signal,
    )) {
      const name = layout.nameOf(image);
      const date = image.recording.start;
      yield { name, content: image.bytes, date };
      for (const file of await layout.describe(image)) yield { ...file, date };
      await spool.append(labelsFile, labelRows(name, image));
      tally.add(image);
    }
    if (tally.images === 0) return;
    const date = new Date(request.createdAt);
    for (const file of layout.finish()) yield { ...file, date };
    yield { name: labelsFile, content: () => spool.read(labelsFile), date };
    yield { name: 'dataset_info.json', content: Buffer.from(datasetInfo(tally, plan, request)), date };
  } finally {
    await spool.remove();
  }
}

const recordingsAhead = 8;

/** Counts what {@link writeDataset} would write, without decoding videos: images of a damaged file count. */
export async function previewDataset(
  { readPool, crops }: DatasetDeps,
  request: DatasetRequest,
  plan: DatasetPlan,
  signal: AbortSignal,
): Promise<DatasetPreview> {
  const selection = toSelection(plan, request);
  const { select } = imageSources[request.format];
  const lookUp = async (recording: DatasetRecording) => {
    signal.throwIfAborted();
    const images = select(recording, selection);
    const [first] = images;
    const hasVideo = first && (await crops.version(recording.videoPath, cropOf(first))) !== undefined;
    return { images, hasVideo };
  };
  const imageCounts: Record<Split, number> = { train: 0, val: 0 };
  const birds = new Map<number, number>();
  const recordings = readRecordings(readPool, request.search, [...selection.classes.keys()]);
  for await (const { images, hasVideo } of mapAhead(recordings, recordingsAhead, lookUp)) {
    if (!hasVideo) {
      skip(plan.skipped, 'media_missing', images.length);
      continue;
    }
    for (const { split, labels } of images) {
      imageCounts[split] += 1;
      for (const { class: found } of labels)
        birds.set(found.speciesId, (birds.get(found.speciesId) ?? 0) + 1);
    }
  }
  const classes = plan.classes.map(({ name, speciesId }) => {
    return { name, species_id: speciesId, images: birds.get(speciesId) ?? 0 };
  });
  return {
    total_images: imageCounts.train + imageCounts.val,
    ...imageCounts,
    classes: classes.filter(({ images }) => images > 0),
    skipped: plan.skipped,
  };
}

/** Maximum images of one recording in memory. */
const maxBatchImages = 32;
const batchesAhead = 4;

/** Reads the images of recordings in order; skipped ones are counted. */
async function* readImages(
  recordings: AsyncIterable<DatasetRecording>,
  source: ImageSource,
  selection: Selection,
  crops: Crops,
  signal: AbortSignal,
): AsyncGenerator<DatasetImage> {
  const batches = toBatches(recordings, (recording) => source.select(recording, selection));
  const read = async (images: readonly SelectedImage[]) => {
    signal.throwIfAborted();
    return { images, contents: await source.read(crops, images, signal) };
  };
  for await (const { images, contents } of mapAhead(batches, batchesAhead, read)) {
    for (const [index, image] of images.entries()) {
      const bytes = contents?.[index];
      if (bytes) yield { ...image, bytes };
      else skip(selection.skipped, contents ? 'undecodable' : 'media_missing');
    }
  }
}

async function* toBatches(
  recordings: AsyncIterable<DatasetRecording>,
  select: (recording: DatasetRecording) => readonly SelectedImage[],
): AsyncGenerator<readonly SelectedImage[]> {
  for await (const recording of recordings) {
    const images = select(recording);
    for (let start = 0; start < images.length; start += maxBatchImages)
      yield images.slice(start, start + maxBatchImages);
  }
}

/** Selects the images of a recording for a format, and reads their bytes. */
interface ImageSource {
  readonly select: (recording: DatasetRecording, selection: Selection) => SelectedImage[];
  /** Undefined for images that cannot be decoded, or for all without a video. */
  readonly read: (
    crops: Crops,
    images: readonly SelectedImage[],
    signal: AbortSignal,
  ) => Promise<readonly (Buffer | undefined)[] | undefined>;
}

const cropSource: ImageSource = {
  select: selectCrops,
  read: (crops, images, signal) => crops.read(videoPathOf(images), images.map(cropOf), signal),
};

const frameSource: ImageSource = {
  select: selectFrames,
  read: (crops, images, signal) =>
    crops.readFrames(
      videoPathOf(images),
      images.map(({ seconds }) => seconds),
      signal,
    ),
};

/** The image sources of the formats. */
const imageSources: Record<DatasetFormat, ImageSource> = {
  crops: cropSource,
  yolo: frameSource,
  coco: frameSource,
};

/** Returns the crop of the first bird of an image. */
function cropOf({ recording: { videoId }, seconds, labels: [{ detection, box }] }: SelectedImage): CropKey {
  return { videoId, detectionId: detection.id, seconds, box };
}

const videoPathOf = (images: readonly SelectedImage[]) => images[0]?.recording.videoPath ?? '';
