import { Box } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnUnlock } from '../../api/unlock';
import { HubPicture, type PictureFailure } from './hub-picture';
import classes from './species-picture.module.css';

interface SpeciesPictureProps {
  /** Path from an API response; without one, or if it does not load, a feather is shown. */
  readonly url: string | null | undefined;
  /** Fallback when the first does not load. */
  readonly fallbackUrl?: string | null | undefined;
  /** Alternative text; empty where the name is shown next to the picture. */
  readonly alt: string;
  /** Width divided by height. */
  readonly ratio?: number;
  /** Whether it loads eagerly, as the first pictures of a page do. */
  readonly isUrgent?: boolean;
  /** ThumbHash of the picture at `url` in Base64. */
  readonly thumbhash?: string | null | undefined;
  /** Display width, as the `sizes` attribute of an image. */
  readonly sizes?: string | undefined;
}

type Failures = Readonly<Record<string, PictureFailure>>;

const withoutLocked = (failed: Failures): Failures =>
  Object.fromEntries(Object.entries(failed).filter(([, why]) => why !== 'locked'));

/** A picture of a bird; reserves its space while loading and explains why it is missing. */
export function SpeciesPicture(props: SpeciesPictureProps) {
  const { url, fallbackUrl, alt, ratio = 4 / 3, isUrgent = false, thumbhash, sizes } = props;
  const { t } = useTranslation('components');
  const [failed, setFailed] = useState<Failures>({});
  const shown = [url, fallbackUrl].find((one) => one && failed[one] === undefined);
  const failure = url ? failed[url] : undefined;
  // The fallback may be one that a locked hub shows.
  const why = failure === 'locked' && shown ? undefined : failure;
  useOnUnlock(() => setFailed((before) => withoutLocked(before)));
  const note = why === undefined || why === 'unknown' || why === 'none' ? undefined : t(`no_picture_${why}`);
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }} title={note}>
      {shown ? (
        <HubPicture
          key={shown}
          address={shown}
          alt={alt}
          isUrgent={isUrgent}
          thumbhash={shown === url ? thumbhash : undefined}
          sizes={sizes}
          onFailed={(reason) => setFailed((before) => ({ ...before, [shown]: reason }))}
        />
      ) : (
        <IconFeather className={classes['feather']} size="36%" stroke={1} aria-hidden />
      )}
      {note !== undefined && <span className={classes['note']}>{note}</span>}
    </Box>
  );
}
