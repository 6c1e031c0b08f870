import type { DataDetection } from './data-day.js';
import { createRandom } from './random.js';

/** Number of boxes of a detection in the picture. */
export const boxesPerDetection = 30;

/** The thousandths from 0 to 1 as JSON numbers, formatted once, as formatting would otherwise take most of the time. */
const thousandths = Array.from({ length: 1001 }, (_, value) => String(value / 1000));
const textOf = (thousandth: number) => thousandths[Math.max(0, Math.min(1000, thousandth))] ?? '0';

/** A detection with a track: its id determines the path of the bird, its offsets (ms) the times. */
export type Tracked = Pick<DataDetection, 'id' | 'startOffset' | 'endOffset'>;

/**
 * Returns the boxes of a bird that crosses the picture, as the JSON text that a processor sends:
 * `[{"t":seconds,"bbox":[x1,y1,x2,y2]}]`, seconds from the start of the recording.
 */
export function drawBoxes({ id, startOffset, endOffset }: Tracked, count: number): string {
  const random = createRandom(`boxes of ${id}`);
  const width = 60 + random.integer(140);
  const height = 60 + random.integer(180);
  const fromX = random.integer(1000 - width);
  const fromY = random.integer(1000 - height);
  const toX = random.integer(1000 - width);
  const toY = random.integer(1000 - height);
  const boxes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const share = count === 1 ? 0 : index / (count - 1);
    const x = Math.round(fromX + (toX - fromX) * share) + random.integer(7) - 3;
    const y = Math.round(fromY + (toY - fromY) * share) + random.integer(7) - 3;
    const time = Math.round(startOffset + (endOffset - startOffset) * share) / 1000;
    const box = `${textOf(x)},${textOf(y)},${textOf(x + width)},${textOf(y + height)}`;
    boxes.push(`{"t":${time},"bbox":[${box}]}`);
  }
  return `[${boxes.join(',')}]`;
}
