import { readFileSync } from 'node:fs';
import { formatInstant } from '@birdhub/shared/time';
import type { DatasetImage } from './dataset-image.js';
import type { DatasetPlan } from './plan-dataset.js';
import type { Split } from './split-visits.js';
import type { DatasetOrder } from './write-dataset.js';

const manifest = new URL('../../package.json', import.meta.url);

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}

/** Counts what is written. */
export interface Tally {
  add(image: DatasetImage): void;
  readonly images: number;
  /** How many birds of a class are on a side; classes without one are not mentioned. */
  readonly birds: Readonly<Record<Split, Record<string, number>>>;
}

// A species may have the name of what every other object has.
const noBirds = (): Record<string, number> => Object.create(null);

export function createTally(): Tally {
  let images = 0;
  const birds = { train: noBirds(), val: noBirds() };
  return {
    birds,
    get images() {
      return images;
    },
    add({ split, labels }) {
      images += 1;
      for (const { class: found } of labels) birds[split][found.name] = (birds[split][found.name] ?? 0) + 1;
    },
  };
}

/** The text of `dataset_info.json`; classes of which nothing was written are left out. */
export function datasetInfo(
  { images, birds }: Tally,
  { classes, skipped }: DatasetPlan,
  order: DatasetOrder,
): string {
  const written = classes.filter(({ name }) => birds.train[name] || birds.val[name]);
  const info = {
    created_at: formatInstant(order.createdAt),
    hub_version: readVersion(),
    format: order.format,
    ...birds,
    total_images: images,
    val_ratio: order.valRatio,
    split_seed: order.splitSeed,
    skipped,
    classes: written.map(({ name, scientificName, speciesId }) => {
      return { name, scientific_name: scientificName, species_id: speciesId };
    }),
  };
  return `${JSON.stringify(info, null, 2)}\n`;
}
