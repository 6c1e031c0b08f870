import { Box } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HubPicture } from './hub-picture';
import type { PictureFailure } from './picture-problem';
import classes from './species-picture.module.css';

interface SpeciesPictureProps {
  /** Address of the picture as the hub gives it; none or one that does not load shows a feather. */
  readonly url: string | null | undefined;
  /** Another one for when the first does not load. */
  readonly otherwiseUrl?: string | null | undefined;
  /** What is seen, for those who do not; empty where the name stands beside it. */
  readonly alt: string;
  /** Width through height. */
  readonly ratio?: number;
  /** Whether it is among the first that the page shows, and is not waited with. */
  readonly isUrgent?: boolean;
}

/** A picture of a bird that holds its place while it is made and loads, and says why when there is none. */
export function SpeciesPicture(props: SpeciesPictureProps) {
  const { url, otherwiseUrl, alt, ratio = 4 / 3, isUrgent = false } = props;
  const { t } = useTranslation('states');
  const [failed, setFailed] = useState<Readonly<Record<string, PictureFailure>>>({});
  const shown = [url, otherwiseUrl].find((one) => one && failed[one] === undefined);
  const why = url ? failed[url] : undefined;
  const note = why === undefined || why === 'unknown' ? undefined : t(`no_picture_${why}`);
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }} title={note}>
      {shown ? (
        <HubPicture
          key={shown}
          address={shown}
          alt={alt}
          isUrgent={isUrgent}
          onFailed={(reason) => setFailed((before) => ({ ...before, [shown]: reason }))}
        />
      ) : (
        <IconFeather className={classes['feather']} size="36%" stroke={1} aria-hidden />
      )}
      {note !== undefined && <span className={classes['note']}>{note}</span>}
    </Box>
  );
}
