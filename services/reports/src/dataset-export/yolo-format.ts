import { withinPicture } from '@birdhub/domain/media';
import type { ImageLabel } from './dataset-image.js';
import type { DatasetClass } from './plan-dataset.js';

const digits = 6;

/** The lines `class x y width height` of a picture: centre and size as fractions of it. */
export function yoloLabels(labels: readonly ImageLabel[]): string {
  const lines = labels.map(({ class: { index }, box }) => {
    const [x1, y1, x2, y2] = withinPicture(box);
    const numbers = [(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1];
    return `${index} ${numbers.map((number) => number.toFixed(digits)).join(' ')}\n`;
  });
  return lines.join('');
}

/** The file that tells where pictures are and what the numbers of classes mean; JSON strings are YAML. */
export function yoloIndex(classes: readonly DatasetClass[]): string {
  const names = classes.map(({ index, name }) => `  ${index}: ${JSON.stringify(name)}\n`);
  return `path: .\ntrain: images/train\nval: images/val\nnc: ${classes.length}\nnames:\n${names.join('')}`;
}
