import type { RecordingBody } from '@birdhub/testing/processor-client/processor-wire';
import type { LocalTime } from './local-time.js';
import type { VisitRecording } from './plan-visit.js';

/** What the demo calls itself in `processor_version`. */
const PROCESSOR_VERSION = 'birdhub-demo 1';

/** A recording with its place in time; the clip is put at `videoPath`. */
export type PlannedRecording = VisitRecording & { startAt: number; endAt: number; videoPath: string };

/** Gives a recording its time, on whole seconds as folder names have them, and the path of the field's layout. */
export function recordingAt(recording: VisitRecording, at: number, time: LocalTime): PlannedRecording {
  const startAt = Math.floor(at / 1000) * 1000;
  const folder = `${time.dateOf(startAt).replaceAll('-', '/')}/${time.clockOf(startAt)}_${recording.camera}`;
  const endAt = startAt + recording.clip.seconds * 1000;
  return { ...recording, startAt, endAt, videoPath: `${folder}/video.mp4` };
}

/** The body of `POST /videos`. */
export function recordingBody(recording: PlannedRecording): RecordingBody {
  return {
    processor_version: PROCESSOR_VERSION,
    start_time: new Date(recording.startAt).toISOString(),
    end_time: new Date(recording.endAt).toISOString(),
    video_path: recording.videoPath,
    camera_id: recording.camera,
    trigger_source: recording.trigger,
    species: recording.detections,
  };
}
