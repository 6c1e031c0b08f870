import { Box } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useState } from 'react';
import { useOnUnlock } from '../../api/unlock';
import type { HeardMoment } from '../visits/describe-visit';
import { HubPicture } from './hub-picture';
import { PictureBadge } from './picture-badge';
import classes from './sound-picture.module.css';

interface SoundPictureProps {
  /** Spectrogram of the complete recording; without one, or if it does not load, an ear is shown. */
  readonly url: string | null | undefined;
  /** Detection of an audio-only recording, whose crop has axes and marks; a slice of `url` is the fallback. */
  readonly detectionId?: number | undefined;
  readonly interval: SoundInterval;
  /** Length of the recording in seconds. */
  readonly recordingSeconds: number;
  /** Accessible name: that it was only heard. */
  readonly label: string;
  /** Width divided by height. */
  readonly ratio?: number;
}

/** Picture of an audio detection: its crop with axes, or else its slice of the spectrogram. */
export function SoundPicture(props: SoundPictureProps) {
  const { url, detectionId, interval, recordingSeconds, label, ratio = 4 / 3 } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  useOnUnlock(() => setFailed([]));
  const crop = detectionId === undefined ? undefined : `/api/ui/detections/${detectionId}/crop`;
  const shown = [crop, url].find((one) => one && !failed.includes(one));
  const place = shown === crop ? { width: 100, left: 0 } : placeSlice(interval, recordingSeconds);
  return (
    <Box className={classes['frame']} style={{ aspectRatio: ratio }}>
      {shown && place ? (
        <>
          <div className={classes['slice']} style={{ width: `${place.width}%`, left: `${place.left}%` }}>
            <HubPicture
              key={shown}
              address={shown}
              alt=""
              className={classes['spectrogram']}
              onFailed={() => setFailed((before) => [...before, shown])}
            />
          </div>
          <PictureBadge label={label}>
            <IconEar size={15} aria-hidden />
          </PictureBadge>
        </>
      ) : (
        <IconEar size="36%" stroke={1} role="img" aria-label={label} />
      )}
    </Box>
  );
}

interface HeardPictureProps {
  /** Part of a recording to show; an ear is shown if it is null. */
  readonly heard: HeardMoment | null;
  /** Accessible name: that it was only heard. */
  readonly label: string;
  /** Width divided by height. */
  readonly ratio?: number;
}

/** The sound of a visit that was only heard. */
export function HeardPicture({ heard, ...shown }: HeardPictureProps) {
  return (
    <SoundPicture
      url={heard && `/api/ui/videos/${heard.video_id}/spectrogram`}
      detectionId={heard?.media_kind === 'audio' ? heard.detection_id : undefined}
      interval={heard ?? { from: 0, to: 0 }}
      recordingSeconds={heard?.recording_seconds ?? 0}
      {...shown}
    />
  );
}

/** Part of a recording in seconds from its start. */
interface SoundInterval {
  readonly from: number;
  readonly to: number;
}

/** Added before and after the detection. */
const marginSeconds = 0.5;
const minSeconds = 3;

/**
 * Returns the width and left offset of a spectrogram, in per cent of the frame, with which the frame shows the
 * interval. Undefined for a recording without length.
 */
export function placeSlice(
  { from, to }: SoundInterval,
  recordingSeconds: number,
): { readonly width: number; readonly left: number } | undefined {
  if (!(recordingSeconds > 0)) return undefined;
  const wanted = Math.max(minSeconds, to - from + 2 * marginSeconds);
  const length = Math.min(recordingSeconds, wanted);
  const start = Math.min(Math.max(0, (from + to - length) / 2), recordingSeconds - length);
  // Avoids -0.
  return { width: (recordingSeconds / length) * 100, left: 0 - (start / length) * 100 };
}
