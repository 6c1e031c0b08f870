import { withinPicture } from '@birdhub/domain/media';
import { hubVersion } from '@birdhub/shared/config';
import { formatInstant } from '@birdhub/shared/time';
import sharp from 'sharp';
import type { ArchiveFile } from '../archive/write-zip.js';
import { freeText, line } from '../csv.js';
import type { DatasetFormat } from './dataset-export.schema.js';
import {
  type DatasetClass,
  type DatasetPlan,
  type DatasetRequest,
  type Split,
  splits,
} from './dataset-plan.js';
import type { DatasetImage, ImageLabel } from './select-images.js';
import type { Spool } from './spool.js';

/** A file of a data set. */
type DatasetFile = Omit<ArchiveFile, 'date'>;

/** The layout of a format: the paths of images, and further files. */
interface Layout {
  /** The path of an image. */
  nameOf(image: DatasetImage): string;
  /** The further files of an image. */
  describe(image: DatasetImage): Promise<readonly DatasetFile[]>;
  /** The files at the end of the archive. */
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

/** Returns the lines `class x y width height` of an image: centre and size as fractions. */
function yoloLabels(labels: readonly ImageLabel[]): string {
  const lines = labels.map(({ class: { index }, box }) => {
    const [x1, y1, x2, y2] = withinPicture(box);
    const numbers = [(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1];
    return `${index} ${numbers.map((number) => number.toFixed(yoloDigits)).join(' ')}\n`;
  });
  return lines.join('');
}

/** Returns the index of the folders and class names; JSON strings are valid YAML. */
function yoloIndex(classes: readonly DatasetClass[]): string {
  const names = classes.map(({ index, name }) => `  ${index}: ${JSON.stringify(name)}\n`);
  return `path: .\ntrain: images/train\nval: images/val\nnc: ${classes.length}\nnames:\n${names.join('')}`;
}

const listOf = (kind: 'images' | 'annotations', split: Split) => `${kind}-${split}.json`;
const round = (pixels: number) => Math.round(pixels * 100) / 100;

/** The annotation files of a COCO data set, whose lists are spooled to disk; ids start at 1. */
class CocoAnnotations {
  readonly #spool: Spool;
  readonly #categories: readonly object[];
  readonly #startedLists = new Set<string>();
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

  /** Yields the annotation file of a split in chunks. */
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
    const comma = this.#startedLists.has(list) ? ',\n' : '';
    this.#startedLists.add(list);
    await this.#spool.append(list, comma + values.map((value) => JSON.stringify(value)).join(',\n'));
  }
}

/** The columns of `labels.csv`. */
const labelColumns = [
  'file',
  'split',
  'class',
  'species_id',
  'video_id',
  'detection_id',
  'track_id',
  'box',
  'confidence',
  'reviewed',
  'source_video',
];

/** The header row of `labels.csv`. */
export const labelHeader = `${labelColumns.join(',')}\r\n`;

/**
 * Returns the rows of an image in `labels.csv`, one for each bird; the box is `x1 y1 x2 y2` in the frame of the video.
 */
export function labelRows(file: string, { recording, split, labels }: DatasetImage): string {
  const rows = labels.map(({ detection, class: { name, speciesId }, box }) => {
    const { id, trackId, confidence, reviewed } = detection;
    const cells = [
      file,
      split,
      freeText(name),
      speciesId,
      recording.videoId,
      id,
      freeText(trackId ?? ''),
      box.join(' '),
      confidence,
      reviewed,
      freeText(recording.videoPath),
    ];
    return line(cells);
  });
  return rows.join('');
}

/** Counts the written images and birds. */
export class DatasetTally {
  #images = 0;
  /** Number of birds by split and class; classes without any are absent. */
  readonly birds: Readonly<Record<Split, Record<string, number>>> = { train: noBirds(), val: noBirds() };

  get images(): number {
    return this.#images;
  }

  add({ split, labels }: DatasetImage): void {
    this.#images += 1;
    const birds = this.birds[split];
    for (const { class: found } of labels) birds[found.name] = (birds[found.name] ?? 0) + 1;
  }
}

/** Without a prototype, as a species may be named like one of its properties. */
function noBirds(): Record<string, number> {
  return Object.create(null);
}

/** Returns the text of `dataset_info.json`; classes without images are omitted. */
export function datasetInfo(
  { images, birds }: DatasetTally,
  { classes, skipped }: DatasetPlan,
  request: DatasetRequest,
): string {
  const written = classes.filter(({ name }) => birds.train[name] || birds.val[name]);
  const info = {
    created_at: formatInstant(request.createdAt),
    hub_version: hubVersion,
    format: request.format,
    ...birds,
    total_images: images,
    val_ratio: request.valRatio,
    split_seed: request.splitSeed,
    skipped,
    classes: written.map(({ name, scientificName, speciesId }) => {
      return { name, scientific_name: scientificName, species_id: speciesId };
    }),
  };
  return `${JSON.stringify(info, null, 2)}\n`;
}
