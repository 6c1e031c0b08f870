import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useOnUnlock } from '../../api/unlock';
import { HubPicture } from '../../components/pictures/hub-picture';
import classes from './player.module.css';
import { SeekRange } from './player-controls';
import type { Recording } from './recording-queries';
import sound from './sound-stage.module.css';
import { type Stream, StreamNotice, stageSizes } from './stage';
import type { Player } from './use-player';

interface SoundStageProps {
  readonly recording: Recording;
  readonly player: Player;
  readonly stream: Stream;
}

/** The spectrogram of an audio-only recording, with axes, marked detections and the playback position. */
export function SoundStage({ recording, player, stream }: SoundStageProps) {
  const { t } = useTranslation('recording');
  const [failed, setFailed] = useState<string>();
  useOnUnlock(() => setFailed(undefined));
  const { poster_url, video_url } = recording;
  const isPlayable = stream.state === 'playable';
  return (
    <div className={`${classes['stage']} ${sound['stage']}`}>
      <audio
        key={stream.attempt}
        {...player.mediaProps}
        src={isPlayable ? hubUrl(video_url) : undefined}
        preload="metadata"
        onError={isPlayable ? stream.onError : undefined}
      />
      {poster_url !== failed && (
        <HubPicture
          key={poster_url}
          address={poster_url}
          alt={t('sound_picture')}
          className={sound['picture']}
          isUrgent
          sizes={stageSizes}
          onFailed={() => setFailed(poster_url)}
        />
      )}
      {isPlayable && (
        <div className={sound['plot']}>
          <span className={sound['playhead']} />
          <SeekRange player={player} label={t('seek_sound')} isClear hasSecondSteps />
        </div>
      )}
      <StreamNotice stream={stream} />
    </div>
  );
}
