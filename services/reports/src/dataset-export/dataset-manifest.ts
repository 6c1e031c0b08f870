import { readFileSync } from 'node:fs';
import { formatInstant } from '@birdhub/shared/time';
import type { DatasetPlan, DatasetRequest, Split } from './dataset-plan.js';
import type { DatasetImage } from './select-images.js';

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

/** The first row of `labels.csv`. */
export const labelHeader = `${labelColumns.join(',')}\r\n`;

/** The rows of an image in `labels.csv`, one for each bird in it; the box is `x1 y1 x2 y2` in the frame of the video. */
export function labelRows(file: string, { recording, split, labels }: DatasetImage): string {
  const rows = labels.map(({ detection, class: { name, speciesId }, box }) => {
    const { id, trackId, confidence, reviewed } = detection;
    const cells = [
      file,
      split,
      withoutFormula(name),
      speciesId,
      recording.videoId,
      id,
      withoutFormula(trackId ?? ''),
      box.join(' '),
      confidence,
      reviewed,
      withoutFormula(recording.videoPath),
    ];
    return `${cells.map(toCell).join(',')}\r\n`;
  });
  return rows.join('');
}

/** Marks a text so that a spreadsheet does not take it for a formula. */
const withoutFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** A cell as in RFC 4180. */
function toCell(value: string | number | boolean): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Counts the images and birds that are written. */
export class DatasetTally {
  #images = 0;
  /** How many birds of a class are on a side; classes without any are absent. */
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

/** Without a prototype, as a species may have the name of one of its properties. */
function noBirds(): Record<string, number> {
  return Object.create(null);
}

/** The text of `dataset_info.json`; classes of which nothing was written are left out. */
export function datasetInfo(
  { images, birds }: DatasetTally,
  { classes, skipped }: DatasetPlan,
  request: DatasetRequest,
): string {
  const written = classes.filter(({ name }) => birds.train[name] || birds.val[name]);
  const info = {
    created_at: formatInstant(request.createdAt),
    hub_version: readVersion(),
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

const manifestFile = new URL('../../package.json', import.meta.url);

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(manifestFile, 'utf8')) as { version: string };
  return version;
}
