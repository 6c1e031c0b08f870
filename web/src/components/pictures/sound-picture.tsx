import { Box } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useState } from 'react';
import type { HeardMoment } from '../visits/describe-visit';
import { HubPicture } from './hub-picture';
import { PictureBadge } from './picture-badge';
import classes from './sound-picture.module.css';

interface SoundPictureProps {
  /** Spectrogram of the whole recording; an ear is shown without one or when it does not load. */
  readonly url: string | null | undefined;
  /** The detection of a recording of sound alone, whose picture has axes and marks; its slice is shown when that fails. */
  readonly detectionId?: number | undefined;
  readonly stretch: SoundStretch;
  /** Length of the recording in seconds. */
  readonly recordingSeconds: number;
  /** Accessible name: that it was only heard. */
  readonly label: string;
  /** Width divided by height. */
  readonly ratio?: number;
}

/** An audio detection: its picture with axes, or else its slice of the spectrogram. */
export function SoundPicture(props: SoundPictureProps) {
  const { url, detectionId, stretch, recordingSeconds, label, ratio = 4 / 3 } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  const crop = detectionId === undefined ? undefined : `/api/ui/detections/${detectionId}/crop`;
  const shown = [crop, url].find((one) => one && !failed.includes(one));
  const place = shown === crop ? { width: 100, left: 0 } : placeSlice(stretch, recordingSeconds);
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
  /** What was heard; an ear is shown without anything. */
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
      stretch={heard ?? { from: 0, to: 0 }}
      recordingSeconds={heard?.recording_seconds ?? 0}
      {...shown}
    />
  );
}

/** Part of a recording in seconds from its start. */
interface SoundStretch {
  readonly from: number;
  readonly to: number;
}

/** Added before and after the detection. */
const marginSeconds = 0.5;
const minSeconds = 3;

/**
 * Returns width and left offset, in per cent of the frame, of the whole spectrogram so that the frame shows one part
 * of it. Undefined for a recording without length.
 */
export function placeSlice(
  { from, to }: SoundStretch,
  recordingSeconds: number,
): { readonly width: number; readonly left: number } | undefined {
  if (!(recordingSeconds > 0)) return undefined;
  const wanted = Math.max(minSeconds, to - from + 2 * marginSeconds);
  const length = Math.min(recordingSeconds, wanted);
  const start = Math.min(Math.max(0, (from + to - length) / 2), recordingSeconds - length);
  // Without the minus of a zero.
  return { width: (recordingSeconds / length) * 100, left: 0 - (start / length) * 100 };
}
