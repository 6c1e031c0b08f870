import { type Coat, coats } from './bird-lists.js';
import { type MotionPath, picture, type Size, type Swing } from './motion-path.js';
import { between, type Random, seededRandom, wholeBetween } from './random.js';

/** A bird of a clip: how it looks, how it moves, and between which frames it is to be seen (both included). */
export type Subject = { coat: Coat; size: Size; path: MotionPath; fromFrame: number; toFrame: number };

/** A song: notes that start at `pitch` and change by `sweep` hertz a second, one each `beat` seconds. */
export type Song = { pitch: number; sweep: number; beat: number; note: number };

/** One of the few clips that stand for all recordings. Its name decides everything about it. */
export type ClipVariant = {
  name: string;
  seconds: number;
  light: 'day' | 'night';
  subjects: readonly Subject[];
  song: Song;
};

/** All clips of the demo: each coat alone (short, long) and in a pair, two flocks of three, garden, night. */
export const clipVariants: readonly ClipVariant[] = [
  ...coats.flatMap((coat, index) => [
    birdClip(`${coat}-short`, 6 + index, coat, 1),
    birdClip(`${coat}-long`, 16 + index, coat, 1),
    birdClip(`${coat}-pair`, 11 + index, coat, 2),
  ]),
  birdClip('brown-flock', 24, 'brown', 3),
  birdClip('dark-flock', 28, 'dark', 3),
  birdClip('garden-short', 8, 'grey', 0),
  birdClip('garden-long', 13, 'grey', 0),
  {
    ...birdClip('night', 15, 'dark', 0),
    light: 'night',
    song: { pitch: 380, sweep: 60, beat: 3, note: 0.9 },
  },
];

/** The clips that show so many birds of a coat. */
export function clipsOf(coat: Coat, birds: number): ClipVariant[] {
  const named = clipVariants.filter((clip) => clip.name.startsWith(`${coat}-`));
  return named.filter((clip) => clip.subjects.length === birds);
}

/** The clips of the garden with no bird in the picture. */
export function emptyClips(light: ClipVariant['light']): ClipVariant[] {
  return clipVariants.filter((clip) => clip.subjects.length === 0 && clip.light === light);
}

function birdClip(name: string, seconds: number, coat: Coat, birds: number): ClipVariant {
  const random = seededRandom(name);
  const lanes = Array.from({ length: birds }, (_, lane) => lane);
  const subjects = lanes.map((lane) => subjectIn(random, coat, lane, picture.width / birds, seconds));
  return { name, seconds, light: 'day', subjects, song: songOf(random) };
}

/** Each bird keeps to its own upright strip of the picture, so birds never hide each other. */
function subjectIn(random: Random, coat: Coat, lane: number, laneWidth: number, seconds: number): Subject {
  const width = 2 * wholeBetween(random, 32, 48);
  const size = { width, height: 2 * Math.round(width * 0.34) };
  const frames = seconds * picture.framesPerSecond;
  return {
    coat,
    size,
    path: {
      x: swing(random, lane * laneWidth, (lane + 1) * laneWidth, width, [5, 9]),
      y: swing(random, 70, picture.height, size.height, [2.5, 5]),
    },
    fromFrame: wholeBetween(random, 4, 20),
    toFrame: frames - wholeBetween(random, 4, 20),
  };
}

function swing(random: Random, from: number, to: number, extent: number, periods: [number, number]): Swing {
  const room = (to - from - extent) / 2 - 2;
  const reach = Math.round(between(random, 0.5, 1) * room);
  const play = Math.floor(room - reach);
  return {
    middle: Math.round((from + to) / 2) + wholeBetween(random, -play, play),
    reach,
    period: hundredths(between(random, ...periods)),
    phase: hundredths(between(random, 0, 6.28)),
  };
}

function songOf(random: Random): Song {
  const note = hundredths(between(random, 0.12, 0.3));
  return {
    pitch: wholeBetween(random, 2500, 4500),
    sweep: wholeBetween(random, -4000, 6000),
    beat: hundredths(between(random, 0.5, 1.4)),
    note,
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
