import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import classes from './calendar.module.css';
import { type CalendarSpecies, useCalendarSearch, useCalendarYears } from './calendar-queries';
import { heatLevel, shortCount } from './heat';
import heat from './heat-map.module.css';
import { MonthName, SpeciesLink } from './labels';
import { type DatedMonth, monthsOfYears } from './months-of-years';

interface HeatRowProps {
  readonly species: CalendarSpecies;
  readonly bounds: readonly number[];
  /** Returns the months of the years that the count of a month (0 to 11) adds up. */
  readonly datesOf: (month: number) => readonly DatedMonth[];
}

const HeatRow = memo(function HeatRow({ species, bounds, datesOf }: HeatRowProps) {
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
            <HeatCell
              speciesId={species.id}
              dates={datesOf(month)}
              label={t('cell', { name: nameOf(species.name), month: long[month] ?? '', count })}
              count={count}
            />
          ) : (
            <VisuallyHidden>0</VisuallyHidden>
          )}
        </td>
      ))}
      <td className={heat['total']}>{number(species.total)}</td>
    </tr>
  );
});

interface HeatCellProps {
  readonly speciesId: number;
  readonly dates: readonly DatedMonth[];
  readonly label: string;
  readonly count: number;
}

/** Links to the visits of a month; offers the years if there are several. */
function HeatCell({ speciesId, dates, label, count }: HeatCellProps) {
  const [{ evidence }] = useCalendarSearch();
  const [isOpen, setIsOpen] = useState(false);
  const searchOf = ({ from, to }: DatedMonth) => ({
    from,
    to,
    species_id: speciesId,
    ...(evidence === 'video' && { source: 'video' as const }),
  });
  const [newest] = dates;
  if (newest === undefined) return shortCount(count);
  if (dates.length === 1) {
    return (
      <Link className={heat['cell']} to="/timeline" search={searchOf(newest)} aria-label={label}>
        {shortCount(count)}
      </Link>
    );
  }
  const button = (
    <UnstyledButton
      className={heat['cell'] ?? ''}
      aria-label={label}
      aria-haspopup="menu"
      onClick={() => setIsOpen(true)}
    >
      {shortCount(count)}
    </UnstyledButton>
  );
  // A menu for each of some hundred cells would be slow.
  if (!isOpen) return button;
  return (
    <Menu opened onChange={setIsOpen} returnFocus>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {dates.map((date) => (
          <Menu.Item
            key={date.year}
            renderRoot={(props) => <Link to="/timeline" search={searchOf(date)} {...props} />}
          >
            {date.year}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

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
  const { from, to } = useCalendarYears();
  const day = today();
  const datesOf = useCallback((month: number) => monthsOfYears(month, { from, to }, day), [from, to, day]);
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
          <HeatRow key={one.id} species={one} bounds={bounds} datesOf={datesOf} />
        ))}
      </tbody>
    </table>
  );
}
