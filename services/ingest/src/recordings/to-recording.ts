import { canonicalVideoPath } from '@birdhub/shared/media';
import type { PostedDetection, PostedRecording } from '@birdhub/shared/recordings';
import { normaliseSpeciesName } from '@birdhub/shared/species';
import { parseInstant } from '@birdhub/shared/time';
import { toStorable } from '../plain-text.js';
import type { PostedDetectionBody, RecordingBody } from './recordings.schema.js';

type Extra = Record<string, unknown> | null;

function toExtra(rest: object): Extra {
  return Object.keys(rest).length ? (toStorable(rest) as Extra) : null;
}

function toDetection(row: PostedDetectionBody): PostedDetection {
  const {
    species_name,
    species,
    confidence,
    start_time,
    end_time,
    source,
    track_id,
    detection_provider,
    frames,
    ...rest
  } = row;
  return {
    speciesName: normaliseSpeciesName(species_name ?? species ?? ''),
    confidence,
    startOffset: start_time,
    endOffset: end_time,
    source: source ?? 'video',
    trackId: track_id == null || track_id === '' ? null : String(track_id),
    provider: detection_provider ?? null,
    frames: (frames ?? []).map(({ t, bbox }) => ({ t, bbox: bbox as [number, number, number, number] })),
    extra: toExtra(rest),
  };
}

function toInstant(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`not an instant: ${text}`);
  return instant;
}

/** A checked body as the writing module takes it. */
export function toRecording(body: RecordingBody): PostedRecording {
  const {
    processor_version,
    start_time,
    end_time,
    video_path,
    spectrogram_path,
    camera_id,
    trigger_source,
    species,
    ...rest
  } = body;
  return {
    processorVersion: processor_version,
    start: toInstant(start_time),
    end: toInstant(end_time),
    videoPath: canonicalVideoPath(video_path),
    cameraId: camera_id ?? '',
    spectrogramPath: spectrogram_path ? canonicalVideoPath(spectrogram_path) : null,
    triggerSource: trigger_source ?? null,
    extra: toExtra(rest),
    detections: species.map(toDetection),
  };
}
