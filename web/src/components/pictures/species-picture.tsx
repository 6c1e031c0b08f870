import { Box } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HubPicture, type PictureFailure } from './hub-picture';
import classes from './species-picture.module.css';

interface SpeciesPictureProps {
  /** As the hub gives it; a feather is shown without one or when it does not load. */
  readonly url: string | null | undefined;
  /** Fallback when the first does not load. */
  readonly fallbackUrl?: string | null | undefined;
  /** Alternative text; empty where the name stands beside it. */
  readonly alt: string;
  /** Width divided by height. */
  readonly ratio?: number;
  /** Whether it loads eagerly, as the first pictures of a page do. */
  readonly isUrgent?: boolean;
  /** The blurred copy of the first picture, as the hub gives it. */
  readonly thumbhash?: string | null | undefined;
  /** How wide it is shown, as the `sizes` of an image. */
  readonly sizes?: string | undefined;
}

/** A picture of a bird; keeps its space while loading and says why when there is none. */
export function SpeciesPicture(props: SpeciesPictureProps) {
  const { url, fallbackUrl, alt, ratio = 4 / 3, isUrgent = false, thumbhash, sizes } = props;
  const { t } = useTranslation('components');
  const [failed, setFailed] = useState<Readonly<Record<string, PictureFailure>>>({});
  const shown = [url, fallbackUrl].find((one) => one && failed[one] === undefined);
  const why = url ? failed[url] : undefined;
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
