import { Text } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HubPicture, type PictureFailure } from '../../components/pictures/hub-picture';
import type { Recording } from '../recording/recording-queries';
import classes from './review.module.css';
import type { Unknown } from './review-queue';

interface CropPaneProps {
  readonly item: Unknown;
  readonly recording: Recording | undefined;
  readonly alt: string;
}

/** What is to be looked at: the bird cut out of its frame, or of a sound its spectrogram. */
export function CropPane({ item, recording, alt }: CropPaneProps) {
  const { t } = useTranslation('review');
  const { t: say } = useTranslation('components');
  const [failed, setFailed] = useState<{ readonly address: string; readonly why: PictureFailure }>();
  const isHeard = item.source === 'audio';
  const address = isHeard ? recording?.spectrogram_url : item.crop_url;
  const why = failed?.address === address ? failed?.why : undefined;
  const isExplained = why !== undefined && why !== 'unknown';
  return (
    <div className={`${classes['pane']} ${classes['crop']}`}>
      {address && why === undefined ? (
        <HubPicture
          key={address}
          address={address}
          alt={alt}
          className={classes['whole']}
          isUrgent
          onFailed={(reason) => setFailed({ address, why: reason })}
        />
      ) : (
        <Text p="md" ta="center">
          {isHeard && <IconEar size={48} stroke={1.2} aria-hidden />}
          <br />
          {isHeard ? t('only_heard') : isExplained ? say(`no_picture_${why}`) : t('no_crop')}
        </Text>
      )}
    </div>
  );
}
