import { Box, Image } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useState } from 'react';
import { hubUrl } from '../api/base';
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

/** A picture of a bird that holds its place while it loads and when there is none. */
export function SpeciesPicture(props: SpeciesPictureProps) {
  const { url, otherwiseUrl, alt, ratio = 4 / 3, isUrgent = false } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  const shown = [url, otherwiseUrl].find((one) => one && !failed.includes(one));
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }}>
      {shown ? (
        <Image
          src={/^https?:/.test(shown) ? shown : hubUrl(shown)}
          alt={alt}
          h="100%"
          loading={isUrgent ? 'eager' : 'lazy'}
          fetchPriority={isUrgent ? 'high' : 'auto'}
          decoding="async"
          onError={() => setFailed([...failed, shown])}
        />
      ) : (
        <IconFeather size="36%" stroke={1} aria-hidden />
      )}
    </Box>
  );
}
