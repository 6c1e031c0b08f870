import { hourMs } from '@birdhub/shared/time';
import type { DayPlan } from './day-plan.js';
import { createRandom } from './random.js';

/** The weather of one hour. */
export interface WeatherHour {
  readonly id: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly main: 'Clear' | 'Clouds' | 'Rain';
  readonly temp: number;
  readonly humidity: number;
  readonly pressure: number;
  readonly clouds: number;
  readonly windSpeed: number;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Returns the weather of the 24 hours of a day, numbered from `firstId`. */
export function weatherOf({ date, start, dayOfYear }: DayPlan, firstId: number): WeatherHour[] {
  const random = createRandom(`weather of ${date}`);
  const mean = 10 - 8 * Math.cos((2 * Math.PI * (dayOfYear - 15)) / 365.25) + 3 * random.normal();
  const cloudy = random.float() * 100;
  return Array.from({ length: 24 }, (_, hour) => {
    const clouds = Math.round(Math.min(100, Math.max(0, cloudy + 15 * random.normal())));
    const main = clouds > 85 ? 'Rain' : clouds > 30 ? 'Clouds' : 'Clear';
    return {
      id: firstId + hour,
      at: start + hour * hourMs,
      main,
      temp: rounded(mean - 4 * Math.cos((2 * Math.PI * (hour - 2)) / 24)),
      humidity: Math.round(55 + clouds * 0.35),
      pressure: Math.round(1013 + 8 * random.normal()),
      clouds,
      windSpeed: rounded(random.exponential(3)),
    };
  });
}

/** The foods; three of them are offered at a time. */
export const foods = [
  'Sunflower hearts',
  'Peanuts',
  'Nyjer seed',
  'Suet balls',
  'Mealworms',
  'Oat flakes',
] as const;

const periodMs = 91 * 24 * hourMs;

/** A period with three foods, in ms since the epoch; the last one has no end. */
export interface FoodPeriod {
  /** Indexes into {@link foods}. */
  readonly foods: readonly [number, number, number];
  readonly start: number;
  readonly end: number | undefined;
}

/** Returns the periods, each of 91 days, from the first day of the data set to its last. */
export function foodPeriods(plans: readonly DayPlan[]): FoodPeriod[] {
  const first = plans[0]?.start ?? 0;
  const last = plans.at(-1)?.start ?? first;
  const count = Math.floor((last - first) / periodMs) + 1;
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * periodMs;
    const offset = index * 3;
    const chosen = [offset, offset + 1, offset + 2].map((food) => food % foods.length);
    const [a = 0, b = 0, c = 0] = chosen;
    return { foods: [a, b, c], start, end: index === count - 1 ? undefined : start + periodMs };
  });
}
