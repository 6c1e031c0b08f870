import { accumulate } from './random.js';
import { type Season, speciesProfiles } from './species-profiles.js';

const zipfExponent = 1.1;

/** From 0 to 1 over about three weeks around a day of the year. */
const rise = (dayOfYear: number, around: number) => 1 / (1 + Math.exp((around - dayOfYear) / 5));

/** Between two days of the year, with soft edges. */
const between = (dayOfYear: number, from: number, to: number) =>
  rise(dayOfYear, from) * (1 - rise(dayOfYear, to));

/** How much of itself a bird is on a day of the year; over a year about 1. */
const presence: Readonly<Record<Season, (dayOfYear: number) => number>> = {
  resident: () => 1,
  summer: (day) => 2 * between(day, 95, 270),
  winter: (day) => 2 * (1 - between(day, 85, 285)),
  passage: (day) => 4 * (between(day, 95, 135) + between(day, 230, 285)),
};

/** The birds' weights on a day of the year, summed up for `pickIndex`. */
export function speciesWeights(dayOfYear: number): Float64Array {
  return accumulate(
    speciesProfiles.map(([, season], rank) => presence[season](dayOfYear) * (rank + 1) ** -zipfExponent),
  );
}
