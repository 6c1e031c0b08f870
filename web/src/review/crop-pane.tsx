import { Text } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../api/base';
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
  const [failed, setFailed] = useState<string>();
  const isHeard = item.source === 'audio';
  const address = isHeard ? recording?.spectrogram_url : item.crop_url;
  return (
    <div className={`${classes['pane']} ${classes['crop']}`}>
      {address && address !== failed ? (
        <img
          key={address}
          src={hubUrl(address)}
          alt={alt}
          decoding="async"
          onError={() => setFailed(address)}
        />
      ) : (
        <Text p="md" ta="center">
          {isHeard && <IconEar size={48} stroke={1.2} aria-hidden />}
          <br />
          {isHeard ? t('only_heard') : t('no_crop')}
        </Text>
      )}
    </div>
  );
}
