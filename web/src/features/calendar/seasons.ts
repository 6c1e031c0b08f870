import type { CalendarSpecies } from './calendar-queries';
import type { CalendarSort } from './calendar-search';

/** First and last month of presence, 0 to 11, inclusive; `last` < `first` across New Year. */
export interface Season {
  readonly first: number;
  readonly last: number;
}

/** Fewer empty months in a row do not count as absence. */
const minMonthsAway = 3;
const monthsOfYear = 12;

const inYear = (month: number) => (month + monthsOfYear) % monthsOfYear;

/** Counts the empty months before a month, across New Year. */
function emptyBefore(counts: readonly number[], month: number): number {
  let empty = 0;
  while (empty < monthsOfYear && !counts[inYear(month - 1 - empty)]) empty += 1;
  return empty;
}

/** Returns seasons by month of arrival; empty without visits. */
export function seasonsOf(counts: readonly number[]): Season[] {
  const present = counts.flatMap((count, month) => (count > 0 ? [month] : []));
  const arrivals = present.filter((month) => emptyBefore(counts, month) >= minMonthsAway);
  if (arrivals.length === 0) return present.length === 0 ? [] : [{ first: 0, last: monthsOfYear - 1 }];
  return arrivals.map((first, index) => {
    const next = arrivals[(index + 1) % arrivals.length] ?? first;
    return { first, last: inYear(next - 1 - emptyBefore(counts, next)) };
  });
}

/** Kind of presence; `guest` with too few visits to tell. */
type Presence = 'resident' | 'summer' | 'winter' | 'passage' | 'changing' | 'guest';

const minVisits = 3;
const [december, january, june, july] = [11, 0, 5, 6];

/** Classifies a species by its months; `isSouthern` where June is winter. Undefined without visits. */
export function presenceOf(counts: readonly number[], isSouthern: boolean): Presence | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const seasons = seasonsOf(counts);
  if (isWholeYear(seasons)) return 'resident';
  if (total < minVisits) return 'guest';
  const isIn = (months: readonly number[]) => months.some((month) => Number(counts[month]) > 0);
  const [inJuneJuly, inDecemberJanuary] = [isIn([june, july]), isIn([december, january])];
  const [inSummer, inWinter] = isSouthern ? [inDecemberJanuary, inJuneJuly] : [inJuneJuly, inDecemberJanuary];
  if (inSummer && inWinter) return 'changing';
  if (inSummer) return 'summer';
  return inWinter ? 'winter' : 'passage';
}

/** Whether a species is present all year. */
export function isWholeYear([season]: readonly Season[]): boolean {
  return season !== undefined && season.first === 0 && season.last === monthsOfYear - 1;
}

/** Splits a season at New Year for drawing. */
export function splitAtNewYear({ first, last }: Season): Season[] {
  if (first <= last) return [{ first, last }];
  return [
    { first: 0, last },
    { first, last: monthsOfYear - 1 },
  ];
}

/** Month of arrival; residents sort first, species without visits last. */
function arrivalOf({ monthly_counts }: CalendarSpecies): number {
  const seasons = seasonsOf(monthly_counts);
  if (isWholeYear(seasons)) return -1;
  return seasons[0]?.first ?? 12;
}

/** Sorts species; ties by total, then by displayed name. */
export function sortSpecies(
  species: readonly CalendarSpecies[],
  sort: CalendarSort,
  nameOf: (name: string) => string,
): CalendarSpecies[] {
  const byName = (one: CalendarSpecies, other: CalendarSpecies) =>
    nameOf(one.name).localeCompare(nameOf(other.name));
  const byTotal = (one: CalendarSpecies, other: CalendarSpecies) =>
    other.total - one.total || byName(one, other);
  if (sort === 'name') return species.toSorted(byName);
  if (sort === 'total') return species.toSorted(byTotal);
  return species.toSorted((one, other) => arrivalOf(one) - arrivalOf(other) || byTotal(one, other));
}
