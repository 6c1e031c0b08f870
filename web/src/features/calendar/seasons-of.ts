/** Months in which a species is there, 0 to 11, both in it; `last` is before `first` when the year turns in between. */
export interface Season {
  readonly first: number;
  readonly last: number;
}

/** Empty months in a row that tell birds that left from birds that nobody happened to see. */
const monthsAway = 3;
const monthsOfYear = 12;

const inYear = (month: number) => (month + monthsOfYear) % monthsOfYear;

/** How many empty months precede one, the year taken as a ring. */
function emptyBefore(counts: readonly number[], month: number): number {
  let empty = 0;
  while (empty < monthsOfYear && !counts[inYear(month - 1 - empty)]) empty += 1;
  return empty;
}

/** From arrival to departure, in the order of the months of arrival; nothing for a species without visits. */
export function seasonsOf(counts: readonly number[]): Season[] {
  const present = counts.flatMap((count, month) => (count > 0 ? [month] : []));
  const arrivals = present.filter((month) => emptyBefore(counts, month) >= monthsAway);
  if (arrivals.length === 0) return present.length === 0 ? [] : [{ first: 0, last: monthsOfYear - 1 }];
  return arrivals.map((first, at) => {
    const next = arrivals[(at + 1) % arrivals.length] ?? first;
    return { first, last: inYear(next - 1 - emptyBefore(counts, next)) };
  });
}

/** How a species lives with the garden; `guest` for one of which there are too few visits to say. */
export type Presence = 'resident' | 'summer' | 'winter' | 'passage' | 'changing' | 'guest';

const fewestVisits = 3;
const [december, january, june, july] = [11, 0, 5, 6];

/** What the months of a species make of it; `isSouthern` where June is winter. Undefined without visits. */
export function presenceOf(counts: readonly number[], isSouthern: boolean): Presence | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const seasons = seasonsOf(counts);
  if (isWholeYear(seasons)) return 'resident';
  if (total < fewestVisits) return 'guest';
  const isIn = (months: readonly number[]) => months.some((month) => Number(counts[month]) > 0);
  const [atSolstice, atTheOther] = [isIn([june, july]), isIn([december, january])];
  const [inSummer, inWinter] = isSouthern ? [atTheOther, atSolstice] : [atSolstice, atTheOther];
  if (inSummer && inWinter) return 'changing';
  if (inSummer) return 'summer';
  return inWinter ? 'winter' : 'passage';
}

/** Whether a species never leaves. */
export function isWholeYear([season]: readonly Season[]): boolean {
  return season !== undefined && season.first === 0 && season.last === monthsOfYear - 1;
}

/** The pieces of a season in the order of a calendar year, as one that goes through New Year is drawn. */
export function piecesOf({ first, last }: Season): Season[] {
  if (first <= last) return [{ first, last }];
  return [
    { first: 0, last },
    { first, last: monthsOfYear - 1 },
  ];
}
