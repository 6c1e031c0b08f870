import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { describeVisit, linkToMoment } from '../../components/visits/describe-visit';
import { VisitPicture } from '../../components/visits/visit-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './live-feed.module.css';
import type { Visit } from './summarize-day';

/** A visit in the feed; leads to the moment that shows it best. */
export function FeedRow({ visit }: { readonly visit: Visit }) {
  const { t } = useTranslation('today');
  const { clock, duration } = useTimeFormat();
  const nameOf = useSpeciesName();
  const { best, heard, isHeardOnly, moment } = describeVisit(visit);
  const seconds = (Date.parse(visit.end_time) - Date.parse(visit.start_time)) / 1000;
  const details = [
    duration(Math.max(1, seconds)),
    isHeardOnly ? t('heard') : undefined,
    visit.max_simultaneous > 1 ? t('at_once', { count: visit.max_simultaneous }) : undefined,
  ].filter((one) => one !== undefined);
  const row = (
    <>
      <div className={classes['picture']}>
        <VisitPicture detectionId={best?.id} heard={heard} heardLabel={t('heard')} ratio={1} />
      </div>
      <div className={classes['words']}>
        <Text fw={600} truncate>
          {nameOf(visit.species.name)}
        </Text>
        <Text size="sm" c="dimmed" truncate>
          {details.join(' · ')}
        </Text>
      </div>
      <Text component="time" dateTime={visit.start_time} className={classes['time']}>
        {clock(visit.start_time)}
      </Text>
    </>
  );
  return (
    <li className={classes['item']}>
      <Link {...linkToMoment(moment)} className={classes['row']}>
        {row}
      </Link>
    </li>
  );
}
