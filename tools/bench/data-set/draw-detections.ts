import { accumulate, pickIndex, type Random } from './random.js';
import type { Slot } from './recording-slots.js';

/** A detection of a recording, before it has an id. */
export interface DrawnDetection {
  /** Index into `speciesProfiles`. */
  readonly species: number;
  /** From the start of the recording, in ms. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly confidence: number;
  readonly source: 'video' | 'audio';
}

/** Cumulative weights of 1, 2, ... 12 detections in a recording: median 2, 90th percentile 5, mean 2.857. */
const countWeights = accumulate([335, 230, 160, 105, 73, 25, 18, 15, 12, 11, 9, 7]);

const keepsSpecies = 0.55;
const sameAsMain = 0.72;
const audioShare = 0.08;

/** Returns the main bird of a recording, often that of the previous recording of the burst. */
export function drawMainSpecies(
  random: Random,
  before: number | undefined,
  followsOn: boolean,
  weights: Float64Array,
): number {
  if (followsOn && before !== undefined && random.chance(keepsSpecies)) return before;
  return pickIndex(random, weights);
}

/** Returns a confidence; one in twenty is low, so that the detection has to be reviewed. */
function drawConfidence(random: Random): number {
  const value = random.chance(0.05) ? 0.2 + 0.3 * random.float() : 0.5 + 0.49 * Math.sqrt(random.float());
  return Math.round(value * 1000) / 1000;
}

/** Returns the detections of a recording; the first is of the main bird. */
export function drawDetections(
  random: Random,
  slot: Slot,
  main: number,
  weights: Float64Array,
): DrawnDetection[] {
  const length = slot.end - slot.start;
  return Array.from({ length: 1 + pickIndex(random, countWeights) }, (_, index) => {
    const species = index === 0 || random.chance(sameAsMain) ? main : pickIndex(random, weights);
    const startOffset = Math.round(random.float() * length * 0.6);
    const endOffset = Math.round(startOffset + (length - startOffset) * (0.2 + 0.8 * random.float()));
    const confidence = drawConfidence(random);
    const source = random.chance(audioShare) ? 'audio' : 'video';
    return { species, startOffset, endOffset, confidence, source };
  });
}
