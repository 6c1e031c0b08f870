import { localStamp } from '@birdhub/shared/time';
import { drawParts, tracksOf } from '../clips/index.js';
import type { VisitRecording } from './plan-visit.js';

/** The processor version that the demo posts. */
export const demoVersion = 'birdhub-demo 2';

/** A recording at a certain time, in ms since the epoch, with the path of its clip in the recordings tree. */
export interface PlannedRecording extends VisitRecording {
  readonly startAt: number;
  readonly endAt: number;
  readonly videoPath: string;
}

/** Places a recording at a time, rounded down to seconds because of its folder's name, and derives its path. */
export function recordingAt(recording: VisitRecording, at: number, zone: string): PlannedRecording {
  const startAt = Math.floor(at / 1000) * 1000;
  const [day = '', time = ''] = localStamp(zone, startAt).split('_');
  const folder = `${day.replaceAll('-', '/')}/${time}_${recording.camera}`;
  const endAt = startAt + recording.clip.seconds * 1000;
  return { ...recording, startAt, endAt, videoPath: `${folder}/video.mp4` };
}

/** Returns a recording with the boxes of the birds in its clip. */
export async function withTracks<T extends VisitRecording>(recording: T): Promise<T> {
  if (!recording.clip.birds.length) return recording;
  const tracks = tracksOf(await drawParts(recording.clip));
  const detections = recording.detections.map((detection) => {
    const track = detection.trackId === null ? undefined : tracks[Number(detection.trackId) - 1];
    if (!track) return detection;
    return { ...detection, startOffset: track.start, endOffset: track.end, frames: track.frames };
  });
  return { ...recording, detections };
}
