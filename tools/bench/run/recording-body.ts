import { dayMs, hourMs } from '@birdhub/shared/time';
import { drawBoxes } from '../data-set/box-track.js';
import { accumulate, createRandom, pickIndex } from '../data-set/random.js';
import { cameraIds, cameraWeights } from '../data-set/scale.js';
import { speciesWeights } from '../data-set/species-activity.js';
import { speciesProfiles } from '../data-set/species-profiles.js';

/** A detection that is posted; offsets in s from the start of its recording. */
export interface PostedDetection {
  readonly species_name: string;
  readonly confidence: number;
  readonly start_time: number;
  readonly end_time: number;
  readonly source: 'video';
  readonly track_id: string;
  readonly detection_provider: 'yolo';
  /** JSON text of the boxes. */
  readonly frames: string;
}

/** A recording as posted by a processor, with its boxes as JSON text. */
export interface NewRecording {
  readonly camera_id: string;
  readonly video_path: string;
  /** RFC 3339. */
  readonly start_time: string;
  readonly end_time: string;
  readonly species: readonly PostedDetection[];
}

const detectionsEach = 3;
const boxesEach = 30;
const firstStart = Date.parse('2025-12-11T08:00:00Z');
/** New recordings start between 08:00 and 16:00, ten seconds apart over all cameras. */
const lightMs = 8 * hourMs;
const intervalMs = 10_000;
/** One in twenty arrives up to an hour late. */
const lateShare = 0.05;
const maxLateMs = hourMs;

const cameras = accumulate(cameraWeights[2]);
const species = speciesWeights(350);

function startOf(number: number, lateMs: number): number {
  const passed = number * intervalMs;
  const day = Math.floor(passed / lightMs);
  return firstStart + day * dayMs + (passed % lightMs) - lateMs;
}

/** Returns the detection at a position of a recording, with its boxes. */
export function drawDetection(
  number: number,
  position: number,
  name: string,
  lengthMs: number,
): PostedDetection {
  const id = number * detectionsEach + position;
  const random = createRandom(`posted detection ${id}`);
  const startOffset = random.integer(Math.floor(lengthMs / 2));
  const endOffset = startOffset + 1_000 + random.integer(Math.floor(lengthMs / 2) - 1_000);
  return {
    species_name: name,
    confidence: 0.5 + random.integer(500) / 1000,
    start_time: startOffset / 1000,
    end_time: endOffset / 1000,
    source: 'video',
    track_id: String(position + 1),
    detection_provider: 'yolo',
    frames: drawBoxes({ id, startOffset, endOffset }, boxesEach),
  };
}

/** Returns the recording with a number: 3 detections with 30 boxes each, mostly of one bird and in order of time. */
export function drawNewRecording(number: number): NewRecording {
  const random = createRandom(`posted recording ${number}`);
  const late = random.chance(lateShare) ? random.integer(maxLateMs) : 0;
  const start = startOf(number, late);
  const lengthMs = 8_000 + random.integer(20_000);
  const main = pickIndex(random, species);
  const detections = Array.from({ length: detectionsEach }, (_, position) => {
    const bird = position === 0 || random.chance(0.7) ? main : pickIndex(random, species);
    return drawDetection(number, position, speciesProfiles[bird]?.[0] ?? '', lengthMs);
  });
  return {
    camera_id: cameraIds[pickIndex(random, cameras)] ?? '',
    video_path: `bench/${number}/video.mp4`,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + lengthMs).toISOString(),
    species: detections,
  };
}

/** Returns the JSON body of a post. */
export function toBody({ species: detections, ...recording }: NewRecording): string {
  const rows = detections.map(
    ({ frames, ...row }) => `${JSON.stringify(row).slice(0, -1)},"frames":${frames}}`,
  );
  const head = JSON.stringify({ processor_version: 'bench', ...recording }).slice(0, -1);
  return `${head},"species":[${rows.join(',')}]}`;
}
