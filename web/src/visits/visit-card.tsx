import { ActionIcon, Group, Text } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../hub-time/time-format';
import { useSpeciesName } from '../species-names/use-species-name';
import { useCameraName } from './camera-names';
import { describeVisit, type TimelineItem } from './describe-visit';
import { linkToMoment } from './link-to-moment';
import classes from './visit-card.module.css';
import { VisitMarks } from './visit-marks';
import { VisitPicture } from './visit-picture';

interface VisitCardProps {
  readonly visit: TimelineItem;
  readonly isFavorite?: boolean;
  /** Whether it is said who came; not where all visits are of one species. */
  readonly isNamed?: boolean;
  /** Whether it is among the first that the page shows. */
  readonly isUrgent?: boolean;
}

/** A visit of a bird: its best picture and what is known of it; leads to the moment that shows it best. */
export function VisitCard({ visit, isFavorite = false, isNamed = true, isUrgent = false }: VisitCardProps) {
  const { t } = useTranslation('visits');
  const format = useTimeFormat();
  const speciesName = useSpeciesName();
  const cameraName = useCameraName();
  const facts = describeVisit(visit);
  const { species, max_simultaneous: birds, start_time, end_time } = visit;
  const name = facts.isVisit ? speciesName(species.name) : t('unlinked');
  const times = [...new Set([format.clock(start_time), format.clock(end_time)])].join('–');
  const duration = format.duration(facts.seconds);
  const count = facts.isHeardOnly ? t('heard') : t('at_once', { count: birds });
  return (
    <article className={classes['card']} data-quiet={!facts.isVisit || undefined} data-visit={visit.id}>
      <div className={classes['picture']}>
        <VisitPicture
          detectionId={facts.best?.id}
          heard={facts.heard}
          heardLabel={t('heard')}
          otherwiseUrl={`/api/ui/videos/${facts.moment.videoId}/poster`}
          isUrgent={isUrgent}
        />
      </div>
      <div className={classes['text']}>
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text truncate>
            <Link
              className={classes['open']}
              {...linkToMoment(facts.moment)}
              aria-label={t('open', { name, time: times })}
            >
              {isNamed ? name : times}
            </Link>
          </Text>
          <VisitMarks facts={facts} isFavorite={isFavorite} />
        </Group>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {isNamed ? `${times} · ${duration}` : duration}
        </Text>
        <Text size="sm" c="dimmed" pr={facts.isVisit && isNamed ? 28 : 0} lineClamp={2}>
          {[facts.isVisit && count, ...visit.cameras.map(cameraName)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {facts.isVisit && isNamed && (
        <ActionIcon
          className={classes['about']}
          variant="subtle"
          color="gray"
          aria-label={t('about', { name })}
          title={t('about', { name })}
          renderRoot={(props) => <Link to="/species/$id" params={{ id: String(species.id) }} {...props} />}
        >
          <IconFeather size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </article>
  );
}
