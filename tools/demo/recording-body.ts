import { demoVersion, type PlannedRecording } from '@birdhub/demo/plan';
import type { RecordingBody } from '@birdhub/testing/processor-client/processor-wire';

/** Returns the body of `POST /videos`. */
export function recordingBody(recording: PlannedRecording): RecordingBody {
  return {
    processor_version: demoVersion,
    start_time: new Date(recording.startAt).toISOString(),
    end_time: new Date(recording.endAt).toISOString(),
    video_path: recording.videoPath,
    camera_id: recording.camera,
    trigger_source: recording.trigger,
    species: recording.detections.map(({ trackId, frames, provider, ...detection }) => ({
      species_name: detection.speciesName,
      confidence: detection.confidence,
      start_time: detection.startOffset,
      end_time: detection.endOffset,
      source: detection.source,
      detection_provider: provider ?? 'demo',
      ...(trackId !== null && { track_id: trackId }),
      ...(frames.length > 0 && { frames: frames.map(({ t, bbox }) => ({ t, bbox: [...bbox] })) }),
    })),
  };
}
