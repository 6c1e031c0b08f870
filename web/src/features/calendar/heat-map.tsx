import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import type { Day } from '../../lib/days';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import classes from './calendar.module.css';
import { type CalendarSpecies, useCalendarSearch } from './calendar-queries';
import { heatLevel, shortCount } from './heat';
import heat from './heat-map.module.css';
import { MonthName, SpeciesLink } from './labels';
import { lastMonth } from './last-month';

interface HeatRowProps {
  readonly species: CalendarSpecies;
  readonly bounds: readonly number[];
  /** Returns the days to which the cell of a month (0 to 11) links. */
  readonly monthOf: (month: number) => { readonly from: Day; readonly to: Day };
}

const HeatRow = memo(function HeatRow({ species, bounds, monthOf }: HeatRowProps) {
  const { t } = useTranslation('calendar');
  const nameOf = useSpeciesName();
  const { number } = useTimeFormat();
  const { long } = useMonthNames();
  return (
    <tr>
      <th scope="row">
        <SpeciesLink species={species} />
      </th>
      {species.monthly_counts.map((count, month) => (
        <td key={long[month]} className={classes['shade']} data-level={heatLevel(count, bounds)}>
          {count > 0 ? (
            <Link
              className={heat['cell']}
              to="/timeline"
              search={{ ...monthOf(month), species_id: species.id }}
              aria-label={t('cell', { name: nameOf(species.name), month: long[month] ?? '', count })}
            >
              {shortCount(count)}
            </Link>
          ) : (
            <VisuallyHidden>0</VisuallyHidden>
          )}
        </td>
      ))}
      <td className={heat['total']}>{number(species.total)}</td>
    </tr>
  );
});

interface HeatMapProps {
  readonly caption: string;
  readonly species: readonly CalendarSpecies[];
  readonly bounds: readonly number[];
}

/** Table of species and months with shaded counts. */
export function HeatMap({ caption, species, bounds }: HeatMapProps) {
  const { t } = useTranslation('calendar');
  const { long } = useMonthNames();
  const { today } = useTimeFormat();
  const now = Number(today().slice(5, 7)) - 1;
  const [{ to }] = useCalendarSearch();
  const day = today();
  const monthOf = useCallback((month: number) => lastMonth(month, day, to), [day, to]);
  return (
    <table className={heat['table']}>
      <VisuallyHidden component="caption">{caption}</VisuallyHidden>
      <thead className={classes['head']}>
        <tr>
          <th scope="col" className={heat['corner']}>
            {t('species')}
          </th>
          {long.map((name, month) => (
            <th key={name} scope="col" className={month === now ? classes['now'] : undefined}>
              <MonthName month={month} />
            </th>
          ))}
          <th scope="col" className={heat['total']}>
            {t('total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {species.map((one) => (
          <HeatRow key={one.id} species={one} bounds={bounds} monthOf={monthOf} />
        ))}
      </tbody>
    </table>
  );
}
