import type { CalendarSpecies } from './calendar-query';
import type { CalendarSort } from './calendar-search';
import { isWholeYear, seasonsOf } from './seasons-of';

/** Those that are always there come before January, those that never came after December. */
function arrivalOf({ monthly_counts }: CalendarSpecies): number {
  const seasons = seasonsOf(monthly_counts);
  if (isWholeYear(seasons)) return -1;
  return seasons[0]?.first ?? 12;
}

/** Species in an order, equal ones by their total and then by the name that is shown. */
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
