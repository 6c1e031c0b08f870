import type pg from 'pg';
import type { Crops } from '../detection-crop/crops.js';
import { type DatasetSearch, readRecordings } from './dataset.store.js';
import type { DatasetFormat } from './dataset-export.schema.js';
import type { Choice } from './dataset-image.js';
import { createTally, datasetInfo } from './dataset-info.js';
import { labelHeader, labelRows } from './label-rows.js';
import { type DatasetFile, layouts } from './layout.js';
import type { DatasetPlan } from './plan-dataset.js';
import { readImages } from './read-images.js';
import { splitOf } from './split-visits.js';
import { createSpool } from './spool.js';

/** What a data set is to be. */
export interface DatasetOrder {
  readonly search: DatasetSearch;
  readonly format: DatasetFormat;
  readonly valRatio: number;
  readonly splitSeed: number;
  readonly createdAt: number;
}

/** What a data set is made from. */
export interface DatasetSources {
  readonly readPool: pg.Pool;
  readonly crops: Crops;
}

/** A file and when it is from. */
export interface DatedFile extends DatasetFile {
  readonly date: Date;
}

const labelsFile = 'labels.csv';

/** What the pictures of a plan are chosen by. */
export function toChoice({ classes, skipped }: DatasetPlan, { splitSeed, valRatio }: DatasetOrder): Choice {
  return {
    classes: new Map(classes.map((found) => [found.speciesId, found])),
    splitOf: (visitId) => splitOf(visitId, splitSeed, valRatio),
    skipped,
  };
}

/** A data set file by file: pictures first, what counts them last; no files when there is no picture. */
export async function* writeDataset(
  { readPool, crops }: DatasetSources,
  order: DatasetOrder,
  plan: DatasetPlan,
  signal: AbortSignal,
): AsyncGenerator<DatedFile> {
  const spool = await createSpool();
  try {
    const layout = layouts[order.format](plan.classes, spool);
    const tally = createTally();
    await spool.append(labelsFile, labelHeader);
    const choice = toChoice(plan, order);
    const recordings = readRecordings(readPool, order.search, [...choice.classes.keys()]);
    for await (const image of readImages(recordings, layout, choice, crops, signal)) {
      const name = layout.nameOf(image);
      const date = image.recording.start;
      yield { name, content: image.bytes, date };
      for (const file of await layout.describe(image)) yield { ...file, date };
      await spool.append(labelsFile, labelRows(name, image));
      tally.add(image);
    }
    if (tally.images === 0) return;
    const date = new Date(order.createdAt);
    for (const file of layout.finish()) yield { ...file, date };
    yield { name: labelsFile, content: () => spool.read(labelsFile), date };
    yield { name: 'dataset_info.json', content: Buffer.from(datasetInfo(tally, plan, order)), date };
  } finally {
    await spool.remove();
  }
}
