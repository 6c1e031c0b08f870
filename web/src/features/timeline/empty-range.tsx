import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Empty, Loading } from '../../components/states';
import { addMonths, type Day, nearestDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHiddenAnimals } from '../../lib/other-animals';
import { useSightings } from '../../lib/species-list';
import { onlyDay, type TimeRange } from './time-range';
import { animalCountsQuery } from './timeline-queries';

/** Returns the nearest day with visits in the month of a day and the month before. */
function useNearestDay(day: Day): Day | undefined {
  const month = day.slice(0, 7);
  const { data } = useQuery({
    queryKey: ['timeline', 'days', month],
    queryFn: async ({ signal }) => {
      const months = [addMonths(month, -1), month].map((one) =>
        unwrap(hub.GET('/api/ui/system/activity', { params: { query: { month: one } }, signal })),
      );
      return (await Promise.all(months)).flat();
    },
  });
  return data && nearestDay(day, data);
}

interface EmptyRangeProps {
  readonly range: TimeRange;
}

/** A range without visits; one that only has visits of animals that this browser hides, offers to show them. */
export function EmptyRange({ range }: EmptyRangeProps) {
  const { t } = useTranslation('timeline');
  const { zone } = useTimeFormat();
  const [areAnimalsHidden, hideAnimals] = useHiddenAnimals();
  const { data, isPending } = useQuery({ ...animalCountsQuery(range, zone), enabled: areAnimalsHidden });
  if (!areAnimalsHidden) return <NoVisits range={range} />;
  if (isPending) return <Loading rows={3} />;
  if (!data?.some(({ visits }) => visits > 0)) return <NoVisits range={range} />;
  return (
    <Empty
      title={t('only_animals')}
      action={<Button onClick={() => hideAnimals(false)}>{t('show_animals')}</Button>}
    >
      {t('only_animals_hint')}
    </Empty>
  );
}

/** A range without visits, with a link to a day that has some. */
function NoVisits({ range }: EmptyRangeProps) {
  const { t } = useTranslation(['timeline', 'app']);
  const { longDay } = useTimeFormat();
  const nearest = useNearestDay(range.to);
  const sightings = useSightings();
  if (range.kind === 'all' || (sightings === null && nearest === undefined))
    return (
      <Empty
        title={t('none_yet')}
        action={
          <Button renderRoot={(props) => <Link {...props} to="/" />}>{t('to_today', { ns: 'app' })}</Button>
        }
      >
        {t('none_yet_hint')}
      </Empty>
    );
  // Outside the days with sightings, link to the nearest one.
  const end =
    sightings &&
    (range.to < sightings.first
      ? sightings.first
      : (range.from ?? range.to) > sightings.last
        ? sightings.last
        : undefined);
  const target = nearest ?? end;
  return (
    <Empty
      title={t(onlyDay(range) === undefined ? 'empty_range' : 'empty')}
      action={
        target && (
          <Button renderRoot={(props) => <Link {...props} to="/timeline" search={{ date: target }} />}>
            {t('go_to', { day: longDay(target) })}
          </Button>
        )
      }
    >
      {t('empty_hint')}
    </Empty>
  );
}

/** No visit of the range matches the filters. */
export function NothingMatches({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation('timeline');
  return (
    <Empty title={t('no_match')} action={<Button onClick={onClear}>{t('clear_filters')}</Button>}>
      {t('no_match_hint')}
    </Empty>
  );
}
