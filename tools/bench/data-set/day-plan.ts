import { dayMs } from '@birdhub/shared/time';
import { createRandom } from './random.js';
import { fixedDays, lastDate, type Scale } from './scale.js';

/** The number of recordings and cameras on one day. */
export interface DayPlan {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Midnight UTC in ms since the epoch. */
  readonly start: number;
  /** 1 on the first of January. */
  readonly dayOfYear: number;
  readonly recordings: number;
  readonly cameras: 2 | 5;
}

const emptyShare = 0.02;
const burstShare = 0.03;
const fixedByDate = new Map<string, number>(
  Object.values(fixedDays).map(({ date, recordings }) => [date, recordings]),
);

/** Returns the weight of the season: higher in spring and autumn than in high summer and midwinter. */
function seasonWeight(dayOfYear: number): number {
  return 1 + 0.25 * Math.cos((4 * Math.PI * (dayOfYear - 115)) / 365.25);
}

/** Returns the weight of a day relative to the others: 0 for an outage, high for a burst. Depends only on the date. */
function weightOf(date: string, dayOfYear: number): number {
  const random = createRandom(`weight of day ${date}`);
  if (random.chance(emptyShare)) return 0;
  const burst = random.chance(burstShare) ? 2 + random.float() : 1;
  const weight = seasonWeight(dayOfYear) * Math.exp(0.42 * random.normal()) * burst;
  return Math.min(weight, 4.9);
}

function calendar(days: number) {
  const first = Date.parse(lastDate) - (days - 1) * dayMs;
  return Array.from({ length: days }, (_, index) => {
    const start = first + index * dayMs;
    const date = new Date(start).toISOString().slice(0, 10);
    const dayOfYear = 1 + Math.round((start - Date.parse(`${date.slice(0, 4)}-01-01`)) / dayMs);
    return { date, start, dayOfYear };
  });
}

/** Divides `total` in proportion to the weights into whole numbers whose sum is `total`. */
function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let given = 0;
  let passed = 0;
  return weights.map((weight) => {
    passed += weight;
    const share = Math.round((total * passed) / sum) - given;
    given += share;
    return share;
  });
}

/** Returns the days of a scale, oldest first; together they have exactly its number of recordings. */
export function planDays(scale: Scale): DayPlan[] {
  const days = calendar(scale.days);
  const fixed = [...fixedByDate.values()].reduce((sum, recordings) => sum + recordings, 0);
  const weights = days.map(({ date, dayOfYear }) => (fixedByDate.has(date) ? 0 : weightOf(date, dayOfYear)));
  const shares = shareOut(scale.recordings - fixed, weights);
  return days.map((day, index) => {
    const given = fixedByDate.get(day.date);
    return given === undefined
      ? { ...day, recordings: shares[index] ?? 0, cameras: scale.cameras }
      : { ...day, recordings: given, cameras: 2 };
  });
}
