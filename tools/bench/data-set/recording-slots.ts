import { hourMs } from '@birdhub/shared/time';
import type { DayPlan } from './day-plan.js';
import { type Daylight, daylightOf } from './daylight.js';
import { accumulate, pickIndex, type Random } from './random.js';
import { cameraWeights } from './scale.js';

/** When and where a recording was made. */
export interface Slot {
  /** Index into `cameraIds`. */
  readonly camera: number;
  /** In ms since the epoch. */
  readonly start: number;
  readonly end: number;
  /** Whether it follows another recording of the same burst. */
  readonly followsOn: boolean;
}

const twilightMs = 20 * 60_000;
const meanBurst = 2.2;
const pauseMs = 20_000;

/** Returns a log-normally distributed length with a median of 16 s, from 6 s to 60 s. */
function drawLengthMs(random: Random): number {
  const seconds = 16 * Math.exp(0.5 * random.normal());
  return Math.round(Math.min(60, Math.max(6, seconds)) * 1000);
}

/** Returns a time of the day in ms since midnight: most often soon after sunrise or before sunset, never at night. */
function drawMoment(random: Random, { rise, set }: Daylight): number {
  const from = rise - twilightMs;
  const to = set - twilightMs;
  for (;;) {
    const kind = random.float();
    const moment =
      kind < 0.35
        ? rise + (1.2 + 0.8 * random.normal()) * hourMs
        : kind < 0.6
          ? set - (1.8 + 0.8 * random.normal()) * hourMs
          : from + (to - from) * random.float();
    if (moment >= from && moment <= to) return moment;
  }
}

interface Burst {
  readonly camera: number;
  readonly moment: number;
  readonly size: number;
}

function drawBursts(random: Random, plan: DayPlan, light: Daylight): Burst[] {
  const cameras = accumulate(cameraWeights[plan.cameras]);
  const bursts: Burst[] = [];
  for (let left = plan.recordings; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(random.exponential(meanBurst - 0.5)));
    bursts.push({ camera: pickIndex(random, cameras), moment: drawMoment(random, light), size });
    left -= size;
  }
  return bursts.sort((a, b) => a.moment - b.moment || a.camera - b.camera);
}

/** Returns the recordings of a day in order of their start; those of one camera do not overlap. */
export function drawSlots(random: Random, plan: DayPlan): Slot[] {
  const freeAt = new Float64Array(cameraWeights[plan.cameras].length);
  const slots: Slot[] = [];
  for (const { camera, moment, size } of drawBursts(random, plan, daylightOf(plan.dayOfYear))) {
    let start = Math.round(Math.max(moment, freeAt[camera] ?? 0));
    for (let index = 0; index < size; index += 1) {
      const end = start + drawLengthMs(random);
      slots.push({ camera, start: plan.start + start, end: plan.start + end, followsOn: index > 0 });
      start = end + 1_000 + Math.round(random.exponential(pauseMs));
    }
    freeAt[camera] = start;
  }
  return slots.sort((a, b) => a.start - b.start || a.camera - b.camera);
}
