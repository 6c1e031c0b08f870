import { chooseCrops } from './choose-crops.js';
import { chooseFrames } from './choose-frames.js';
import { createCocoLists } from './coco-format.js';
import type { DatasetFormat } from './dataset-export.schema.js';
import type { DatasetImage } from './dataset-image.js';
import type { DatasetClass } from './plan-dataset.js';
import { type ImageKind, readCropsOf, readFramesOf } from './read-images.js';
import { splits } from './split-visits.js';
import type { Spool } from './spool.js';
import { yoloIndex, yoloLabels } from './yolo-format.js';

/** A file of a data set, whole or piece by piece. */
export interface DatasetFile {
  readonly name: string;
  readonly content: Buffer | (() => AsyncIterable<Buffer>);
}

/** How one data set is laid out. */
export interface Layout extends ImageKind {
  /** Where the file of a picture is. */
  nameOf(image: DatasetImage): string;
  /** What stands beside a picture. */
  describe(image: DatasetImage): Promise<readonly DatasetFile[]>;
  /** What stands at the end. */
  finish(): Iterable<DatasetFile>;
}

const frames: ImageKind = { choose: chooseFrames, read: readFramesOf };

/** The pictures of data sets, by format. */
export const imageKinds: Record<DatasetFormat, ImageKind> = {
  crops: { choose: chooseCrops, read: readCropsOf },
  yolo: frames,
  coco: frames,
};

const inImages = ({ split, stem }: DatasetImage) => `images/${split}/${stem}.jpg`;

const textFile = (name: string, text: string): DatasetFile => ({ name, content: Buffer.from(text) });

/** The layouts of data sets, by format. */
export const layouts: Record<DatasetFormat, (classes: readonly DatasetClass[], spool: Spool) => Layout> = {
  crops: () => ({
    ...imageKinds.crops,
    nameOf: ({ split, stem, labels }) => `${split}/${labels[0].class.name}/${stem}.jpg`,
    describe: async () => [],
    finish: () => [],
  }),

  yolo: (classes) => ({
    ...imageKinds.yolo,
    nameOf: inImages,
    describe: async ({ split, stem, labels }) => [
      textFile(`labels/${split}/${stem}.txt`, yoloLabels(labels)),
    ],
    finish: () => [textFile('data.yaml', yoloIndex(classes))],
  }),

  coco: (classes, spool) => {
    const lists = createCocoLists(classes, spool);
    return {
      ...imageKinds.coco,
      nameOf: inImages,
      describe: async (image) => {
        await lists.add(image);
        return [];
      },
      *finish() {
        for (const split of splits)
          yield { name: `annotations/instances_${split}.json`, content: () => lists.write(split) };
      },
    };
  },
};
