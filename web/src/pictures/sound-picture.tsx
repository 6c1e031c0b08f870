import { Box, ThemeIcon } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useState } from 'react';
import { HubPicture } from './hub-picture';
import classes from './sound-picture.module.css';
import { placeSlice, type SoundStretch } from './sound-slice';

interface SoundPictureProps {
  /** Address of the spectrogram of the whole recording as the hub gives it; none or one that does not load shows an ear. */
  readonly url: string | null | undefined;
  readonly stretch: SoundStretch;
  /** Length of the recording in seconds. */
  readonly recordingSeconds: number;
  /** That it was only heard, for those who do not see the badge. */
  readonly label: string;
  /** Width through height. */
  readonly ratio?: number;
}

/** What was heard as its stretch of the spectrogram, with an ear: nobody has seen the bird. */
export function SoundPicture(props: SoundPictureProps) {
  const { url, stretch, recordingSeconds, label, ratio = 4 / 3 } = props;
  const [failed, setFailed] = useState<string>();
  const place = placeSlice(stretch, recordingSeconds);
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }}>
      {url && url !== failed && place ? (
        <>
          <div className={classes['slice']} style={{ width: `${place.width}%`, left: `${place.left}%` }}>
            <HubPicture
              key={url}
              address={url}
              alt=""
              className={classes['spectrogram']}
              onFailed={() => setFailed(url)}
            />
          </div>
          <ThemeIcon
            className={classes['badge'] ?? ''}
            size={24}
            radius="xl"
            color="dark"
            role="img"
            aria-label={label}
            title={label}
          >
            <IconEar size={15} aria-hidden />
          </ThemeIcon>
        </>
      ) : (
        <IconEar size="36%" stroke={1} role="img" aria-label={label} />
      )}
    </Box>
  );
}
