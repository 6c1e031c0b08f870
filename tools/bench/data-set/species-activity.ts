import { accumulate } from './random.js';
import { type Season, speciesProfiles } from './species-profiles.js';

const zipfExponent = 1.1;

/** Rises from 0 to 1 over about three weeks around a day of the year. */
const rise = (dayOfYear: number, around: number) => 1 / (1 + Math.exp((around - dayOfYear) / 5));

/** Returns about 1 between two days of the year and about 0 outside, with gradual transitions. */
const between = (dayOfYear: number, from: number, to: number) =>
  rise(dayOfYear, from) * (1 - rise(dayOfYear, to));

/** The relative frequency of a bird by day of the year; the mean over a year is about 1. */
const presence: Readonly<Record<Season, (dayOfYear: number) => number>> = {
  resident: () => 1,
  summer: (day) => 2 * between(day, 95, 270),
  winter: (day) => 2 * (1 - between(day, 85, 285)),
  passage: (day) => 4 * (between(day, 95, 135) + between(day, 230, 285)),
};

/** Returns the cumulative weights of the birds on a day of the year, for `pickIndex`. */
export function speciesWeights(dayOfYear: number): Float64Array {
  return accumulate(
    speciesProfiles.map(([, season], rank) => presence[season](dayOfYear) * (rank + 1) ** -zipfExponent),
  );
}
