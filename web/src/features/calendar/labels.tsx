import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSpeciesName } from '../../i18n/species-names';
import { useMonthNames } from '../../lib/format';
import classes from './calendar.module.css';
import type { CalendarSpecies } from './calendar-queries';

/** Column heading of a month: short by width, in full for screen readers. */
export function MonthName({ month }: { readonly month: number }) {
  const { narrow, short, long } = useMonthNames();
  return (
    <>
      <span aria-hidden className={classes['narrow']}>
        {narrow[month]}
      </span>
      <span aria-hidden className={classes['short']}>
        {short[month]?.replace('.', '')}
      </span>
      <VisuallyHidden>{long[month]}</VisuallyHidden>
    </>
  );
}

/** Link to the page of a species. */
export function SpeciesLink({
  species: { id, name },
}: {
  readonly species: Pick<CalendarSpecies, 'id' | 'name'>;
}) {
  const nameOf = useSpeciesName();
  return (
    <Link to="/species/$id" params={{ id: String(id) }} className={classes['name']} preload={false}>
      {nameOf(name)}
    </Link>
  );
}
