import { Box, Image } from '@mantine/core';
import { IconFeather } from '@tabler/icons-react';
import { useState } from 'react';
import { hubUrl } from '../api/base';
import classes from './species-picture.module.css';

interface SpeciesPictureProps {
  /** Address of the picture as the hub gives it; none or one that does not load shows a feather. */
  readonly url: string | null | undefined;
  /** What is seen, for those who do not; empty where the name stands beside it. */
  readonly alt: string;
  /** Width through height. */
  readonly ratio?: number;
}

/** A picture of a bird that holds its place while it loads and when there is none. */
export function SpeciesPicture({ url, alt, ratio = 4 / 3 }: SpeciesPictureProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  const isThere = url && url !== failedUrl;
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }}>
      {isThere ? (
        <Image
          src={/^https?:/.test(url) ? url : hubUrl(url)}
          alt={alt}
          h="100%"
          loading="lazy"
          decoding="async"
          onError={() => setFailedUrl(url)}
        />
      ) : (
        <IconFeather size="36%" stroke={1} aria-hidden />
      )}
    </Box>
  );
}
