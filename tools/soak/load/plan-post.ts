import { createRandom, type Random } from '../../bench/data-set/random.js';
import { speciesProfiles } from '../../bench/data-set/species-profiles.js';
import { drawDetection, type NewRecording, type PostedDetection } from '../../bench/run/recording-body.js';
import { presentBirds } from './present-birds.js';

/** Enough cameras that the recordings of each do not overlap. */
const cameras = 200;
const minLengthMs = 4_000;
const maxLengthMs = 9_000;
/** One in twenty arrives up to ten minutes late. */
const lateShare = 0.05;
const maxLateMs = 600_000;
/** One in nine has no bird in it. */
const emptyShare = 1 / 9;
/** One in fifty is a repeated post of half a second ago, which changes nothing. */
const repeatEvery = 50;
const repeatBack = 10;
/** One in twenty has a film on disk; more would exceed the CPU of this machine, as ffmpeg decodes each of them. */
const filmEvery = 20;

/** The schedule of posts: the time of the first one in ms since the epoch, and the posts per second. */
export interface PostTimes {
  readonly begin: number;
  readonly rate: number;
}

/** A post of a recording that has just ended, or a repeated one. */
export interface PlannedPost {
  readonly recording: NewRecording;
  readonly isRepeat: boolean;
  readonly hasFilm: boolean;
}

/** Returns when the post with a number is due, in ms since the epoch. */
export const dueOf = (number: number, { begin, rate }: PostTimes): number => begin + (number * 1_000) / rate;

function drawDetections(number: number, random: Random, start: number, lengthMs: number): PostedDetection[] {
  if (random.chance(emptyShare)) return [];
  const present = presentBirds(speciesProfiles.length, start);
  return Array.from({ length: 1 + random.integer(3) }, (_, position) => {
    const [name] = speciesProfiles[present[random.integer(present.length)] ?? 0] ?? [''];
    return drawDetection(number, position, name, lengthMs);
  });
}

function drawRecording(number: number, times: PostTimes): NewRecording {
  const random = createRandom(`soak recording ${number}`);
  const lengthMs = minLengthMs + random.integer(maxLengthMs - minLengthMs);
  const lateMs = random.chance(lateShare) ? random.integer(maxLateMs) : 0;
  const start = Math.floor(dueOf(number, times)) - lengthMs - lateMs;
  return {
    camera_id: `camera-${String(number % cameras).padStart(3, '0')}`,
    video_path: `soak/${number}/video.mp4`,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + lengthMs).toISOString(),
    species: drawDetections(number, random, start, lengthMs),
  };
}

/** Returns the post with a number; deterministic for the same schedule. */
export function planPost(number: number, times: PostTimes): PlannedPost {
  const isRepeat = number % repeatEvery === repeatEvery - 1;
  const own = isRepeat ? number - repeatBack : number;
  return {
    recording: drawRecording(own, times),
    isRepeat,
    hasFilm: !isRepeat && number % filmEvery === 0,
  };
}
