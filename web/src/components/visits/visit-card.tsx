import { ActionIcon, Badge, Group, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconFeather, IconStarFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useCameraName } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { describeVisit, linkToMoment, type TimelineItem, type VisitFacts } from './describe-visit';
import classes from './visit-card.module.css';
import { VisitPicture } from './visit-picture';

interface VisitCardProps {
  readonly visit: TimelineItem;
  readonly isFavorite?: boolean;
  /** Whether the species is shown; not where all visits are of one species. */
  readonly isNamed?: boolean;
  /** Whether its picture loads eagerly. */
  readonly isUrgent?: boolean;
}

/** Card of a visit; links to the moment that shows it best. */
export function VisitCard({ visit, isFavorite = false, isNamed = true, isUrgent = false }: VisitCardProps) {
  const { t } = useTranslation('components');
  const format = useTimeFormat();
  const speciesName = useSpeciesName();
  const cameraName = useCameraName();
  const facts = describeVisit(visit);
  const { species, max_simultaneous: birds, start_time, end_time } = visit;
  const name = facts.isVisit ? speciesName(species.name) : t('visit.unlinked');
  const times = [...new Set([format.clock(start_time), format.clock(end_time)])].join('–');
  const duration = format.duration(facts.seconds);
  const count = facts.isHeardOnly ? t('visit.heard') : t('visit.at_once', { count: birds });
  return (
    <article className={classes['card']} data-quiet={!facts.isVisit || undefined} data-visit={visit.id}>
      <div className={classes['picture']}>
        <VisitPicture
          facts={facts}
          speciesUrl={species.image_url}
          heardLabel={t('visit.heard')}
          toldLabel={t('visit.told')}
          fallbackUrl={`/api/ui/videos/${facts.moment.videoId}/poster`}
          isUrgent={isUrgent}
        />
      </div>
      <div className={classes['text']}>
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text truncate>
            <Link
              className={classes['open']}
              {...linkToMoment(facts.moment)}
              aria-label={t('visit.open', { name, time: times })}
            >
              {isNamed ? name : times}
            </Link>
          </Text>
          <VisitMarks facts={facts} isFavorite={isFavorite} />
        </Group>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {[isNamed && times, !facts.isTold && duration].filter(Boolean).join(' · ')}
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
          aria-label={t('visit.about', { name })}
          title={t('visit.about', { name })}
          renderRoot={(props) => <Link to="/species/$id" params={{ id: String(species.id) }} {...props} />}
        >
          <IconFeather size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </article>
  );
}

interface VisitMarksProps {
  readonly facts: VisitFacts;
  readonly isFavorite: boolean;
}

const marks = [
  { name: 'favorite', icon: IconStarFilled, color: 'yellow' },
  { name: 'reviewed', icon: IconCheck, color: 'moss' },
] as const;

/** Badges: low confidence, favourite, reviewed. */
export function VisitMarks({ facts, isFavorite }: VisitMarksProps) {
  const { t } = useTranslation('components');
  const { percent } = useTimeFormat();
  const { doubtThreshold } = useHubFacts();
  const { unreviewedConfidence: confidence = 1 } = facts;
  const isMarked = { favorite: isFavorite, reviewed: facts.isReviewed };
  return (
    <Group gap={4} wrap="nowrap" flex="none">
      {confidence < doubtThreshold && (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t('visit.doubt', { share: percent(confidence) })}
        </Badge>
      )}
      {marks
        .filter(({ name }) => isMarked[name])
        .map(({ name, icon: Icon, color }) => (
          <ThemeIcon
            key={name}
            size={20}
            radius="xl"
            variant="light"
            color={color}
            role="img"
            aria-label={t(`visit.${name}`)}
            title={t(`visit.${name}`)}
          >
            <Icon size={13} aria-hidden />
          </ThemeIcon>
        ))}
    </Group>
  );
}
