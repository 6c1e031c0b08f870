import { drawParts, tracksOf } from '../clips/index.js';
import type { LocalTime } from './local-time.js';
import type { VisitRecording } from './plan-visit.js';

/** What the demo calls itself. */
export const demoVersion = 'birdhub-demo 2';

/** A recording with its place in time; the clip is put at `videoPath`. */
export interface PlannedRecording extends VisitRecording {
  readonly startAt: number;
  readonly endAt: number;
  readonly videoPath: string;
}

/** Gives a recording its time, on whole seconds as folder names have them, and the path of the field's layout. */
export function recordingAt(recording: VisitRecording, at: number, time: LocalTime): PlannedRecording {
  const startAt = Math.floor(at / 1000) * 1000;
  const folder = `${time.dateOf(startAt).replaceAll('-', '/')}/${time.clockOf(startAt)}_${recording.camera}`;
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
