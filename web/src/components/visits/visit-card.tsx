import { Badge, Group, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconStarFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useCameraName } from '../../lib/cameras';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { ShareButton } from '../share/share-button';
import {
  describeVisit,
  linkToMoment,
  shareOfVisit,
  type TimelineItem,
  type VisitFacts,
} from './describe-visit';
import { PreviewVideo } from './preview-video';
import classes from './visit-card.module.css';
import { VisitPicture } from './visit-picture';
import { usePreviewTrigger } from './visit-preview';

interface VisitCardProps {
  readonly visit: TimelineItem;
  readonly isFavorite?: boolean;
  /** Whether to show the species; false where all visits are of the same one. */
  readonly isNamed?: boolean;
  /** Whether its picture loads eagerly. */
  readonly isUrgent?: boolean;
}

/** Card of a visit; links to its best moment and plays three seconds of it on hover or long press. */
export const VisitCard = memo(function VisitCard(props: VisitCardProps) {
  const { visit, isFavorite = false, isNamed = true, isUrgent = false } = props;
  const { t } = useTranslation('components');
  const format = useTimeFormat();
  const speciesName = useSpeciesName();
  const cameraName = useCameraName();
  const facts = describeVisit(visit);
  const { species, max_simultaneous: birds, start_time, end_time } = visit;
  const { moment, preview } = facts;
  const { isPlaying, end, handlers } = usePreviewTrigger(preview !== undefined);
  const name = facts.isVisit ? speciesName(species.name) : t('visit.unlinked');
  const times = [...new Set([format.clock(start_time), format.clock(end_time)])].join('–');
  const duration = format.roughDuration(facts.seconds);
  const animals = birds > 1 ? `× ${format.number(birds)}` : undefined;
  const seen = species.group === 'other_animal' ? animals : t('visit.at_once', { count: birds });
  const count = facts.isHeardOnly ? t('visit.heard') : seen;
  return (
    <article className={classes['card']} data-quiet={!facts.isVisit || undefined} data-visit={visit.id}>
      {/* Excludes the share button and its dialog, which must not start a preview. */}
      <div className={classes['pressed']} {...handlers}>
        <div className={classes['picture']}>
          <VisitPicture
            facts={facts}
            speciesUrl={species.image_url}
            heardLabel={t('visit.heard')}
            sightingLabel={t('visit.seen_by_person')}
            fallbackUrl={`/api/ui/videos/${moment.videoId}/poster`}
            isUrgent={isUrgent}
            sizes="(max-width: 47.99em) 120px, 280px"
          />
          {isPlaying && preview && <PreviewVideo {...preview} onEnd={end} />}
        </div>
        <div className={classes['text']}>
          <div className={classes['head']}>
            <Link
              className={classes['open']}
              {...linkToMoment(moment)}
              // A long press would start to drag it.
              draggable={false}
              aria-label={t('visit.open', { name, time: times })}
            >
              {isNamed ? name : times}
            </Link>
            <VisitMarks facts={facts} isFavorite={isFavorite} />
          </div>
          <Text size="sm" className={classes['line'] ?? ''}>
            {[isNamed && times, !facts.hasNoMedia && duration].filter(Boolean).join(' · ')}
          </Text>
          <Text size="sm" c="dimmed" className={classes['line'] ?? ''}>
            {[facts.isVisit && count, ...visit.cameras.map(cameraName)].filter(Boolean).join(' · ')}
          </Text>
        </div>
      </div>
      <div className={classes['share']}>
        <ShareButton
          what={shareOfVisit(visit)}
          title={`${name}, ${format.moment(start_time)}`}
          size={32}
          isQuiet
        />
      </div>
    </article>
  );
});

interface VisitMarksProps {
  readonly facts: VisitFacts;
  readonly isFavorite: boolean;
}

const marks = [
  { name: 'favorite', icon: IconStarFilled, color: 'yellow' },
  { name: 'reviewed', icon: IconCheck, color: 'moss' },
] as const;

/** Marks of a visit: confidence while unreviewed, prominent if low; favourite; reviewed. */
export function VisitMarks({ facts, isFavorite }: VisitMarksProps) {
  const { t } = useTranslation('components');
  const { percent } = useTimeFormat();
  const { doubtThreshold } = useHubFacts();
  const { unreviewedConfidence: confidence } = facts;
  const isMarked = { favorite: isFavorite, reviewed: facts.isReviewed };
  const isDoubted = confidence !== undefined && confidence < doubtThreshold;
  const share = confidence === undefined ? undefined : percent(confidence);
  const words = t('visit.doubt', { share });
  return (
    <Group gap={4} wrap="nowrap" flex="none">
      {isDoubted && (
        // Only the figure is visible, as the words would cut the name.
        <Badge variant="default" size="sm" tt="none" fw={500} title={words}>
          <span aria-hidden>{share}</span>
          <VisuallyHidden>{words}</VisuallyHidden>
        </Badge>
      )}
      {share !== undefined && !isDoubted && (
        <Text size="xs" c="dimmed" title={words}>
          {share}
        </Text>
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
