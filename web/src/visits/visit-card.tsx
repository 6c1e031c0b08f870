import { ActionIcon, Group, Text } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../hub-time/time-format';
import { SpeciesPicture } from '../pictures/species-picture';
import { useSpeciesName } from '../species-names/use-species-name';
import { useCameraName } from './camera-names';
import { describeVisit, type TimelineItem } from './describe-visit';
import classes from './visit-card.module.css';
import { VisitMarks } from './visit-marks';

interface VisitCardProps {
  readonly visit: TimelineItem;
  readonly isFavorite?: boolean;
  /** Where visits of several days stand together. */
  readonly isDayShown?: boolean;
  /** Whether it is among the first that the page shows. */
  readonly isUrgent?: boolean;
}

/** A visit of a bird: its best picture and what is known of it; leads to its first recording. */
export function VisitCard({
  visit,
  isFavorite = false,
  isDayShown = false,
  isUrgent = false,
}: VisitCardProps) {
  const { t } = useTranslation('visits');
  const format = useTimeFormat();
  const speciesName = useSpeciesName();
  const cameraName = useCameraName();
  const facts = describeVisit(visit);
  const { species, max_simultaneous: birds, start_time, end_time } = visit;
  const name = facts.isVisit ? speciesName(species.name) : t('unlinked');
  const from = isDayShown ? format.moment(start_time) : format.clock(start_time);
  const times = [...new Set([from, format.clock(end_time)])].join('–');
  const picture = facts.best
    ? `/api/ui/detections/${facts.best.id}/crop`
    : !facts.isVisit && `/api/ui/videos/${facts.firstVideoId}/poster`;
  return (
    <article className={classes['card']} data-quiet={!facts.isVisit || undefined} data-visit={visit.id}>
      <div className={classes['picture']}>
        <SpeciesPicture
          url={picture || species.image_url}
          otherwiseUrl={species.image_url}
          alt=""
          isUrgent={isUrgent}
        />
      </div>
      <div className={classes['text']}>
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text truncate>
            <Link
              className={classes['open']}
              to="/videos/$id"
              params={{ id: String(facts.firstVideoId) }}
              aria-label={t('open', { name, time: times })}
            >
              {name}
            </Link>
          </Text>
          <VisitMarks facts={facts} isFavorite={isFavorite} />
        </Group>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {times} · {format.duration(facts.seconds)}
        </Text>
        <Text size="sm" c="dimmed" pr={facts.isVisit ? 28 : 0} lineClamp={2}>
          {[facts.isVisit && t('at_once', { count: birds }), ...visit.cameras.map(cameraName)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {facts.isVisit && (
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
