import { withinPicture } from '@birdhub/domain/media';
import sharp from 'sharp';
import type { DatasetImage } from './dataset-image.js';
import type { DatasetClass } from './plan-dataset.js';
import type { Split } from './split-visits.js';
import type { Spool } from './spool.js';

/** The lists of a COCO data set, one of each for a side. */
export interface CocoLists {
  add(image: DatasetImage): Promise<void>;
  /** The annotation file of a side, piece by piece. */
  write(split: Split): AsyncIterable<Buffer>;
}

const listOf = (kind: 'images' | 'annotations', split: Split) => `${kind}-${split}.json`;
const round = (pixels: number) => Math.round(pixels * 100) / 100;

/** Lists that grow in a spool; numbers of pictures, boxes and classes begin at 1. */
export function createCocoLists(classes: readonly DatasetClass[], spool: Spool): CocoLists {
  let images = 0;
  let annotations = 0;
  const begun = new Set<string>();
  const categories = classes.map(({ index, name }) => ({ id: index + 1, name, supercategory: 'bird' }));

  async function append(list: string, values: readonly object[]): Promise<void> {
    const comma = begun.has(list) ? ',\n' : '';
    begun.add(list);
    await spool.append(list, comma + values.map((value) => JSON.stringify(value)).join(',\n'));
  }

  return {
    async add({ split, stem, bytes, labels, recording }) {
      const { width, height } = await sharp(bytes).metadata();
      images += 1;
      const date_captured = recording.start.toISOString();
      await append(listOf('images', split), [
        { id: images, file_name: `${stem}.jpg`, width, height, date_captured },
      ]);
      const boxes = labels.map(({ class: { index }, box, detection }) => {
        const [x1, y1, x2, y2] = withinPicture(box);
        const bbox = [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height].map(round);
        const area = round((x2 - x1) * width * (y2 - y1) * height);
        annotations += 1;
        const id = annotations;
        return {
          id,
          image_id: images,
          category_id: index + 1,
          bbox,
          area,
          iscrowd: 0,
          detection_id: detection.id,
        };
      });
      await append(listOf('annotations', split), boxes);
    },

    async *write(split) {
      const info = `{"info":{"description":"Birdhub"},"licenses":[],"categories":${JSON.stringify(categories)}`;
      yield Buffer.from(`${info},"images":[\n`);
      yield* spool.read(listOf('images', split));
      yield Buffer.from('\n],"annotations":[\n');
      yield* spool.read(listOf('annotations', split));
      yield Buffer.from('\n]}\n');
    },
  };
}
