import { createHash } from 'node:crypto';
import { boxesPerDetection, drawBoxes } from './box-track.js';
import type { DataDay } from './data-day.js';
import { weatherOf } from './surroundings.js';

/** Returns the SHA-256 digest of days of the data set, their weather and the boxes of each day's first detection. */
export function digestOf(days: Iterable<DataDay>): string {
  const hash = createHash('sha256');
  for (const day of days) {
    hash.update(JSON.stringify([day, weatherOf(day, 1)]));
    const [detection] = day.made[0]?.detections ?? [];
    if (!detection) continue;
    hash.update(drawBoxes(detection, boxesPerDetection));
  }
  return hash.digest('hex');
}
