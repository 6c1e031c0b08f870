import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import classes from './calendar.module.css';
import type { CalendarSpecies } from './calendar-queries';
import { heatLevel, shortCount } from './heat';
import heat from './heat-map.module.css';
import { MonthName, SpeciesLink } from './labels';

interface HeatRowProps {
  readonly species: CalendarSpecies;
  readonly bounds: readonly number[];
}

const HeatRow = memo(function HeatRow({ species, bounds }: HeatRowProps) {
  const { number } = useTimeFormat();
  const { long } = useMonthNames();
  return (
    <tr>
      <th scope="row">
        <SpeciesLink species={species} />
      </th>
      {species.monthly_counts.map((count, month) => (
        <td key={long[month]} className={classes['shade']} data-level={heatLevel(count, bounds)}>
          {count > 0 ? shortCount(count) : <VisuallyHidden>0</VisuallyHidden>}
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
          <HeatRow key={one.id} species={one} bounds={bounds} />
        ))}
      </tbody>
    </table>
  );
}
