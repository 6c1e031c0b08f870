import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { dayHighlightsQuery, pastDaysQuery } from '../../components/highlights/highlight-queries';
import { HighlightReel } from '../../components/highlights/highlight-reel';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { SectionTitle } from './card';
import classes from './lower-page.module.css';

/** The best moments of the previous day, for a day without visits so far. */
export function DayBefore({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { zone } = useTimeFormat();
  const { data = [], isPending } = useQuery(dayHighlightsQuery(addDays(day, -1), zone));
  // Reserves space, so that the content below stays out of view and is not loaded yet.
  if (isPending) return <div className={classes['reelAwaited']} />;
  if (data.length === 0) return null;
  return (
    <section aria-label={t('best_of_yesterday')}>
      <SectionTitle>{t('best_of_yesterday')}</SectionTitle>
      <HighlightReel highlights={data} label={t('best_of_yesterday')} />
    </section>
  );
}

/** This day in past years: its numbers, and its best moments as far as their files still exist. */
export function PastDays({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { longDay } = useTimeFormat();
  const { data: past = [] } = useQuery(pastDaysQuery(day));
  if (past.length === 0) return null;
  return (
    <section aria-label={t('on_this_day')}>
      <SectionTitle>{t('on_this_day')}</SectionTitle>
      {past.map(({ date, years_ago, visits, species, highlights }) => (
        <div key={date}>
          <Text size="sm" c="dimmed" mb={6}>
            <Anchor inherit renderRoot={(props) => <Link to="/timeline" search={{ date }} {...props} />}>
              {t('years_ago', { count: years_ago })}
            </Anchor>
            {': '}
            {t('species_count', { count: species })}, {t('visit_count', { count: visits })}
          </Text>
          {highlights.length > 0 && <HighlightReel highlights={highlights} label={longDay(date)} />}
        </div>
      ))}
    </section>
  );
}
