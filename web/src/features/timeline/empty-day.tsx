import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Empty } from '../../components/states';
import { addDays, addMonths, type Day, nearestDay } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useSightings } from '../../lib/species-list';

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

/** A day without visits, with a link to one that has some. */
export function EmptyDay({ day }: { readonly day: Day }) {
  const { t } = useTranslation('timeline');
  const { longDay } = useTimeFormat();
  const nearest = useNearestDay(day);
  const sightings = useSightings();
  if (sightings === null && nearest === undefined)
    return <Empty title={t('none_yet')}>{t('none_yet_hint')}</Empty>;
  // Outside the range of sightings, link to its nearer end.
  const ends =
    sightings && (day < sightings.first ? sightings.first : day > sightings.last && sightings.last);
  const target = nearest ?? (ends || addDays(day, -1));
  const isNamed = nearest !== undefined || Boolean(ends);
  return (
    <Empty
      title={t('empty')}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/timeline" search={{ date: target }} />}>
          {isNamed ? t('go_to', { day: longDay(target) }) : t('previous_day')}
        </Button>
      }
    >
      {t('empty_hint')}
    </Empty>
  );
}

/** No visit of the day matches the filters. */
export function NothingMatches({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation('timeline');
  return (
    <Empty title={t('no_match')} action={<Button onClick={onClear}>{t('clear_filters')}</Button>}>
      {t('no_match_hint')}
    </Empty>
  );
}
