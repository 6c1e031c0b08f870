import { Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SoundPicture } from '../../components/pictures/sound-picture';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './species-tile.module.css';
import type { SpeciesOfDay } from './summarize-day';

interface SpeciesTileProps {
  readonly day: string;
  readonly of: SpeciesOfDay;
  /** Whether it has not come on an earlier day of this year. */
  readonly isNew: boolean;
  /** Whether it stands where one looks first. */
  readonly isUrgent: boolean;
}

/** A species of the day; leads to its visits. */
export function SpeciesTile({ day, of, isNew, isUrgent }: SpeciesTileProps) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const name = useSpeciesName()(of.species.name);
  const [first, last] = [clock(of.firstAt), clock(of.lastAt)];
  const crop = of.bestDetectionId && `/api/ui/detections/${of.bestDetectionId}/crop`;
  return (
    <Link to="/timeline" search={{ date: day, species_id: of.species.id }} className={classes['tile']}>
      {of.heard ? (
        <SoundPicture
          url={`/api/ui/videos/${of.heard.video_id}/spectrogram`}
          stretch={of.heard}
          recordingSeconds={of.heard.recording_seconds}
          label={t('heard')}
          ratio={16 / 10}
        />
      ) : (
        <SpeciesPicture
          url={crop || of.species.image_url}
          fallbackUrl={of.species.image_url}
          alt=""
          ratio={16 / 10}
          isUrgent={isUrgent}
        />
      )}
      {isNew && <Badge className={classes['badge']}>{t('new_this_year')}</Badge>}
      <div className={classes['words']}>
        <Text fw={650} lineClamp={2} className={classes['name']}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" className={classes['times']}>
          {t('visit_count', { count: of.visits })}
          {of.bestDetectionId === undefined && ` · ${t('heard')}`}
          {of.mostAtOnce > 1 && ` · ${t('peak_count', { count: of.mostAtOnce })}`}
          <span>{first === last ? first : `${first}–${last}`}</span>
        </Text>
      </div>
    </Link>
  );
}
