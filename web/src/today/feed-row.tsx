import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../hub-time/time-format';
import { SpeciesPicture } from '../pictures/species-picture';
import { useSpeciesName } from '../species-names/use-species-name';
import classes from './live-feed.module.css';
import { bestDetection, type Visit } from './summarize-day';

/** A visit in the feed; leads to the recording that shows it best. */
export function FeedRow({ visit }: { readonly visit: Visit }) {
  const { t } = useTranslation('today');
  const { clock, duration } = useTimeFormat();
  const nameOf = useSpeciesName();
  const best = bestDetection(visit);
  const videoId = (best ?? visit.detections[0])?.video_id;
  const seconds = (Date.parse(visit.end_time) - Date.parse(visit.start_time)) / 1000;
  const details = [
    duration(Math.max(1, seconds)),
    best === undefined ? t('heard') : undefined,
    visit.max_simultaneous > 1 ? t('at_once', { count: visit.max_simultaneous }) : undefined,
  ].filter((one) => one !== undefined);
  const row = (
    <>
      <div className={classes['picture']}>
        <SpeciesPicture
          url={best ? `/api/ui/detections/${best.id}/crop` : visit.species.image_url}
          otherwiseUrl={visit.species.image_url}
          alt=""
          ratio={1}
        />
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
      {videoId === undefined ? (
        <div className={classes['row']}>{row}</div>
      ) : (
        <Link to="/videos/$id" params={{ id: String(videoId) }} className={classes['row']}>
          {row}
        </Link>
      )}
    </li>
  );
}
