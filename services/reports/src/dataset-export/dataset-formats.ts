import { type CropKey, withinPicture } from '@birdhub/domain/media';
import sharp from 'sharp';
import type { Crops } from '../detection-crop/crops.js';
import type { DatasetRecording } from './dataset.store.js';
import type { DatasetFormat } from './dataset-export.schema.js';
import { type DatasetClass, type Split, splits } from './dataset-plan.js';
import {
  type DatasetImage,
  type ImageLabel,
  type SelectedImage,
  type Selection,
  selectCrops,
  selectFrames,
} from './select-images.js';
import type { Spool } from './spool.js';
import type { ArchiveFile } from './write-zip.js';

/** A file of a data set. */
export type DatasetFile = Omit<ArchiveFile, 'date'>;

/** How a format selects images of a recording and reads their bytes. */
export interface ImageSource {
  readonly select: (recording: DatasetRecording, selection: Selection) => SelectedImage[];
  /** Undefined for those that cannot be decoded, or for all when there is no video. */
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

const videoPathOf = (images: readonly SelectedImage[]) => images[0]?.recording.videoPath ?? '';

/** The crop around the first bird of an image. */
export function cropOf({
  recording: { videoId },
  seconds,
  labels: [{ detection, box }],
}: SelectedImage): CropKey {
  return { videoId, detectionId: detection.id, seconds, box };
}

/** The image sources of the formats. */
export const imageSources: Record<DatasetFormat, ImageSource> = {
  crops: cropSource,
  yolo: frameSource,
  coco: frameSource,
};

/** The files of one data set. */
export interface Layout {
  /** The path of an image. */
  nameOf(image: DatasetImage): string;
  /** The files beside an image. */
  describe(image: DatasetImage): Promise<readonly DatasetFile[]>;
  /** The files at the end. */
  finish(): Iterable<DatasetFile>;
}

/** Creates the layouts of the formats. */
export const layouts: Record<DatasetFormat, (classes: readonly DatasetClass[], spool: Spool) => Layout> = {
  crops: () => ({
    nameOf: ({ split, stem, labels }) => `${split}/${labels[0].class.name}/${stem}.jpg`,
    describe: async () => [],
    finish: () => [],
  }),

  yolo: (classes) => ({
    nameOf: pathInImages,
    describe: async ({ split, stem, labels }) => [
      textFile(`labels/${split}/${stem}.txt`, yoloLabels(labels)),
    ],
    finish: () => [textFile('data.yaml', yoloIndex(classes))],
  }),

  coco: (classes, spool) => {
    const annotations = new CocoAnnotations(classes, spool);
    return {
      nameOf: pathInImages,
      describe: async (image) => {
        await annotations.add(image);
        return [];
      },
      *finish() {
        for (const split of splits)
          yield { name: `annotations/instances_${split}.json`, content: () => annotations.read(split) };
      },
    };
  },
};

const pathInImages = ({ split, stem }: DatasetImage) => `images/${split}/${stem}.jpg`;

const textFile = (name: string, text: string): DatasetFile => ({ name, content: Buffer.from(text) });

const yoloDigits = 6;

/** The lines `class x y width height` of an image: centre and size as fractions of it. */
function yoloLabels(labels: readonly ImageLabel[]): string {
  const lines = labels.map(({ class: { index }, box }) => {
    const [x1, y1, x2, y2] = withinPicture(box);
    const numbers = [(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1];
    return `${index} ${numbers.map((number) => number.toFixed(yoloDigits)).join(' ')}\n`;
  });
  return lines.join('');
}

/** The index of the folders and the class names; JSON strings are YAML. */
function yoloIndex(classes: readonly DatasetClass[]): string {
  const names = classes.map(({ index, name }) => `  ${index}: ${JSON.stringify(name)}\n`);
  return `path: .\ntrain: images/train\nval: images/val\nnc: ${classes.length}\nnames:\n${names.join('')}`;
}

const listOf = (kind: 'images' | 'annotations', split: Split) => `${kind}-${split}.json`;
const round = (pixels: number) => Math.round(pixels * 100) / 100;

/** The annotation files of a COCO data set, whose lists grow in a spool; ids begin at 1. */
class CocoAnnotations {
  readonly #spool: Spool;
  readonly #categories: readonly object[];
  readonly #begun = new Set<string>();
  #images = 0;
  #annotations = 0;

  constructor(classes: readonly DatasetClass[], spool: Spool) {
    this.#spool = spool;
    this.#categories = classes.map(({ index, name }) => ({ id: index + 1, name, supercategory: 'bird' }));
  }

  async add({ split, stem, bytes, labels, recording }: DatasetImage): Promise<void> {
    const { width, height } = await sharp(bytes).metadata();
    this.#images += 1;
    const date_captured = recording.start.toISOString();
    await this.#append(listOf('images', split), [
      { id: this.#images, file_name: `${stem}.jpg`, width, height, date_captured },
    ]);
    await this.#append(
      listOf('annotations', split),
      labels.map((label) => this.#toAnnotation(label, width, height)),
    );
  }

  /** The annotation file of a side, piece by piece. */
  async *read(split: Split): AsyncGenerator<Buffer> {
    const categories = JSON.stringify(this.#categories);
    yield Buffer.from(
      `{"info":{"description":"Birdhub"},"licenses":[],"categories":${categories},"images":[\n`,
    );
    yield* this.#spool.read(listOf('images', split));
    yield Buffer.from('\n],"annotations":[\n');
    yield* this.#spool.read(listOf('annotations', split));
    yield Buffer.from('\n]}\n');
  }

  #toAnnotation({ class: { index }, box, detection }: ImageLabel, width: number, height: number) {
    const [x1, y1, x2, y2] = withinPicture(box);
    this.#annotations += 1;
    return {
      id: this.#annotations,
      image_id: this.#images,
      category_id: index + 1,
      bbox: [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height].map(round),
      area: round((x2 - x1) * width * (y2 - y1) * height),
      iscrowd: 0,
      detection_id: detection.id,
    };
  }

  async #append(list: string, values: readonly object[]): Promise<void> {
    const comma = this.#begun.has(list) ? ',\n' : '';
    this.#begun.add(list);
    await this.#spool.append(list, comma + values.map((value) => JSON.stringify(value)).join(',\n'));
  }
}
