import { createRandom, type Random } from '../../bench/data-set/random.js';
import { speciesProfiles } from '../../bench/data-set/species-profiles.js';
import { drawDetection, type NewRecording, type PostedDetection } from '../../bench/run/recording-body.js';
import { presentBirds } from './present-birds.js';

/** As many cameras as it takes that each has ended one recording when its next begins. */
const cameras = 200;
const shortestMs = 4_000;
const longestMs = 9_000;
/** One in twenty comes up to ten minutes late. */
const lateShare = 0.05;
const mostLateMs = 600_000;
/** One in nine has no bird in it. */
const emptyShare = 1 / 9;
/** One in fifty is one of half a second ago that a processor sends again, and then nothing changes. */
const repeatEvery = 50;
const repeatBack = 10;
/** One in twenty has a film on disk: programs look into each, one at a time, and 200 cameras have other machines. */
const filmEvery = 20;

/** When posts are due: the time of the first, in ms since the epoch, and how many a second. */
export interface PostTimes {
  readonly begin: number;
  readonly rate: number;
}

/** A post: a recording that has just ended, or an earlier one again. */
export interface PlannedPost {
  readonly recording: NewRecording;
  readonly isRepeat: boolean;
  readonly hasFilm: boolean;
}

/** When the post of a number is due, in ms since the epoch. */
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
  const lengthMs = shortestMs + random.integer(longestMs - shortestMs);
  const lateMs = random.chance(lateShare) ? random.integer(mostLateMs) : 0;
  const start = Math.floor(dueOf(number, times)) - lengthMs - lateMs;
  return {
    camera_id: `camera-${String(number % cameras).padStart(3, '0')}`,
    video_path: `soak/${number}/video.mp4`,
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + lengthMs).toISOString(),
    species: drawDetections(number, random, start, lengthMs),
  };
}

/** The post of a number, the same for the same times. */
export function planPost(number: number, times: PostTimes): PlannedPost {
  const isRepeat = number % repeatEvery === repeatEvery - 1;
  const own = isRepeat ? number - repeatBack : number;
  return {
    recording: drawRecording(own, times),
    isRepeat,
    hasFilm: !isRepeat && number % filmEvery === 0,
  };
}
