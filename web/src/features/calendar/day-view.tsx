import { ActionIcon, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useToday } from '../../lib/clock';
import { addDays, type Day, daysBetween } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { dimmedWhile } from '../../lib/previous-data';
import { useSightings } from '../../lib/species-list';
import { useIsPhone } from '../../lib/use-media';
import scale from './calendar.module.css';
import { speciesDaysQuery, useCalendarSearch } from './calendar-queries';
import classes from './day-view.module.css';
import { heatBounds, heatLevel, shortCount } from './heat';
import { HeatLegend } from './heat-legend';
import { SpeciesLink } from './labels';

type DaysOfSpecies = components['schemas']['SpeciesDays']['species'][number];

/** Number of days shown on wide and narrow screens. */
const [wideDays, narrowDays] = [28, 14];

/** Species by day up to a day, the last two or four weeks; each cell links to its visits. */
export function DayView({ until }: { readonly until: Day | undefined }) {
  const { t } = useTranslation('calendar');
  const today = useToday();
  const isPhone = useIsPhone();
  const length = isPhone ? narrowDays : wideDays;
  const last = until !== undefined && until < today ? until : today;
  const first = addDays(last, 1 - length);
  const { data, error, refetch, isPlaceholderData } = useQuery(speciesDaysQuery(first, last));
  const { start_date: shownFirst = first, end_date: shownLast = last } = data ?? {};
  const days = useMemo(
    () =>
      Array.from({ length: daysBetween(shownFirst, shownLast) + 1 }, (_, index) =>
        addDays(shownFirst, index),
      ),
    [shownFirst, shownLast],
  );
  const highest = Math.max(0, ...(data?.species ?? []).flatMap((species) => species.days));
  const bounds = useMemo(() => heatBounds(highest), [highest]);
  return (
    <Stack gap="sm">
      <DayNavigation first={first} last={last} length={length} today={today} />
      {data === undefined ? (
        error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={12} height={32} />
        )
      ) : data.species.length === 0 ? (
        <NoVisits />
      ) : (
        <Stack gap="sm" {...dimmedWhile(isPlaceholderData)}>
          <HeatLegend bounds={bounds} highest={highest} unit={t('visits_day')} />
          <DayTable days={days} species={data.species} bounds={bounds} today={today} />
        </Stack>
      )}
    </Stack>
  );
}

function NoVisits() {
  const { t } = useTranslation('calendar');
  if (useSightings() !== null) return <Empty title={t('empty_days')} />;
  return (
    <Empty
      title={t('empty')}
      action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('to_today')}</Button>}
    >
      {t('empty_hint')}
    </Empty>
  );
}

interface DayNavigationProps {
  readonly first: Day;
  readonly last: Day;
  readonly length: number;
  readonly today: Day;
}

/** Buttons to earlier and later days. */
function DayNavigation({ first, last, length, today }: DayNavigationProps) {
  const { t } = useTranslation('calendar');
  const { dayRange } = useTimeFormat();
  const [, change] = useCalendarSearch();
  const sightings = useSightings();
  const show = (day: Day) => change({ view: 'days', until: day < today ? day : undefined });
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('earlier_days')}
        title={t('earlier_days')}
        disabled={!sightings || sightings.first >= first}
        onClick={() => show(addDays(last, -length))}
      >
        <IconChevronLeft size={20} aria-hidden />
      </ActionIcon>
      <Text aria-live="polite">{dayRange(first, last)}</Text>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('later_days')}
        title={t('later_days')}
        disabled={last >= today}
        onClick={() => show(addDays(last, length))}
      >
        <IconChevronRight size={20} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface DayTableProps {
  readonly days: readonly Day[];
  readonly species: readonly DaysOfSpecies[];
  readonly bounds: readonly number[];
  readonly today: Day;
}

function DayTable({ days, species, bounds, today }: DayTableProps) {
  const { t } = useTranslation('calendar');
  const { shortDay } = useTimeFormat();
  return (
    <table className={classes['table']} style={{ '--days': days.length } as CSSProperties}>
      <VisuallyHidden component="caption">{t('caption_days')}</VisuallyHidden>
      <thead className={scale['head']}>
        <tr>
          <th scope="col" className={classes['corner']}>
            {t('species')}
          </th>
          {days.map((day) => (
            <th key={day} scope="col" className={day === today ? scale['now'] : undefined}>
              <span aria-hidden>{Number(day.slice(8))}</span>
              <VisuallyHidden>{shortDay(day)}</VisuallyHidden>
            </th>
          ))}
          <th scope="col" className={classes['total']}>
            {t('total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {species.map((one) => (
          <DayRow key={one.id} species={one} days={days} bounds={bounds} />
        ))}
      </tbody>
    </table>
  );
}

interface DayRowProps {
  readonly species: DaysOfSpecies;
  readonly days: readonly Day[];
  readonly bounds: readonly number[];
}

const DayRow = memo(function DayRow({ species, days, bounds }: DayRowProps) {
  const { t } = useTranslation('calendar');
  const name = useSpeciesName()(species.name);
  const { shortDay, number } = useTimeFormat();
  return (
    <tr>
      <th scope="row">
        <SpeciesLink species={species} />
      </th>
      {days.map((day, index) => {
        const count = species.days[index] ?? 0;
        return (
          <td key={day} className={scale['shade']} data-level={heatLevel(count, bounds)}>
            {count > 0 ? (
              <Link
                className={classes['cell']}
                to="/timeline"
                search={{ date: day, species_id: species.id }}
                preload={false}
                aria-label={t('cell', { name, month: shortDay(day), count })}
              >
                {shortCount(count)}
              </Link>
            ) : (
              <VisuallyHidden>0</VisuallyHidden>
            )}
          </td>
        );
      })}
      <td className={classes['total']}>{number(species.visits)}</td>
    </tr>
  );
});
