import { Link } from '@tanstack/react-router';
import { useSpeciesName } from '../../i18n/species-names';
import classes from './calendar.module.css';
import type { CalendarSpecies } from './calendar-query';

/** The name of a species, which leads to its page. */
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
