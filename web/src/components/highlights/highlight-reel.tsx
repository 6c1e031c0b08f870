import { VisuallyHidden } from '@mantine/core';
import { IconPlayerPlayFilled, IconStarFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { HeardPicture } from '../pictures/sound-picture';
import { SpeciesPicture } from '../pictures/species-picture';
import { ShareButton } from '../share/share-button';
import { linkToMoment } from '../visits/describe-visit';
import classes from './highlight-reel.module.css';
import { NoteworthyBadge, type NoteworthyReason } from './noteworthy-badge';

/** One of the best moments. */
export type Highlight = components['schemas']['Highlight'];

/** A highlight whose second may be unknown: it then opens at the start of its detection. */
export type Moment = Omit<Highlight, 'seconds'> & Partial<Pick<Highlight, 'seconds'>>;

interface HighlightReelProps {
  readonly highlights: readonly Moment[];
  /** Whether to show the species; false where all are of the same one. */
  readonly isNamed?: boolean;
  /** Whether to show the date instead of the time of day. */
  readonly isDated?: boolean;
  /** Accessible name. */
  readonly label: string;
}

const sizes = '(min-width: 48em) 15rem, 60vw';

/** Highlights in a row that scrolls sideways. */
export function HighlightReel({ highlights, isNamed = true, isDated = false, label }: HighlightReelProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <div className={classes['reel']} tabIndex={0} data-scrolls>
      <ul className={classes['track']} aria-label={label}>
        {highlights.map((highlight) => (
          <li key={highlight.detection_id} className={classes['item']}>
            <HighlightCard highlight={highlight} isNamed={isNamed} isDated={isDated} />
            <HighlightShare highlight={highlight} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const isNoteworthy = (reason: Highlight['reasons'][number]): reason is NoteworthyReason =>
  reason === 'first_ever' || reason === 'new_this_year' || reason === 'rare';

/** Returns the reason for which a highlight gets a badge. */
const noteworthyOf = ({ reasons }: Moment): NoteworthyReason | undefined => reasons.find(isNoteworthy);

/** Shares a moment. */
function HighlightShare({ highlight: { video_id, seconds = 0, species, start_time } }: HighlightShareProps) {
  const { moment } = useTimeFormat();
  const name = useSpeciesName()(species.name);
  return (
    <div className={classes['share']}>
      <ShareButton
        what={{ videoId: video_id, ...(seconds > 0 && { t: Math.floor(seconds) }) }}
        title={`${name}, ${moment(start_time)}`}
        size={32}
        isOnPicture
      />
    </div>
  );
}

interface HighlightShareProps {
  readonly highlight: Moment;
}

interface HighlightCardProps {
  readonly highlight: Moment;
  readonly isNamed: boolean;
  readonly isDated: boolean;
}

function HighlightCard({ highlight, isNamed, isDated }: HighlightCardProps) {
  const { t } = useTranslation('components');
  const { clock, shortDay, dayOf } = useTimeFormat();
  const name = useSpeciesName()(highlight.species.name);
  const { detection_id, video_id, seconds, start_time, source, heard, thumbhash, favorite, media_kind } =
    highlight;
  const time = isDated ? shortDay(dayOf(start_time)) : clock(start_time);
  const reason = noteworthyOf(highlight);
  return (
    <Link
      {...linkToMoment({ videoId: video_id, detectionId: detection_id, seconds })}
      className={classes['card']}
    >
      {source === 'audio' ? (
        <HeardPicture heard={heard} label={t('visit.heard')} ratio={4 / 3} />
      ) : (
        <SpeciesPicture
          url={`/api/ui/detections/${detection_id}/crop`}
          fallbackUrl={`/api/ui/videos/${video_id}/poster`}
          alt=""
          ratio={4 / 3}
          thumbhash={thumbhash}
          sizes={sizes}
        />
      )}
      {reason && <NoteworthyBadge reason={reason} className={classes['badge']} />}
      <span className={classes['words']}>
        {isNamed ? <span className={classes['name']}>{name}</span> : <VisuallyHidden>{name}</VisuallyHidden>}{' '}
        <span className={classes['time']}>
          {media_kind === 'video' && <IconPlayerPlayFilled size={12} aria-hidden />}
          {time}
          {favorite && (
            <IconStarFilled
              size={13}
              role="img"
              aria-label={t('visit.favorite')}
              className={classes['star']}
            />
          )}
        </span>
      </span>
    </Link>
  );
}
