import { canFly, clings, type Pose, sizeOf } from '../birds/index.js';
import { between, chance, type Random, seededRandom, wholeBetween } from '../random/index.js';
import { type Place, picture, standing, trunk } from '../scenes/index.js';

/** Frames per second of every clip. */
export const frameRate = 15;

/** A picture of a bird that is shown for some frames, both included, while its feet move: x and y are of the n-th of them. */
export interface Step {
  readonly pose: Pose;
  /** Whether it looks to the left. */
  readonly isMirrored: boolean;
  readonly from: number;
  readonly to: number;
  readonly x: Motion;
  readonly y: Motion;
  /** Of two steps of the same frames that alternate, which one this is: wings go up and down. */
  readonly beat?: 0 | 1;
  /** Where its shadow falls; none in the air. */
  readonly groundY?: number;
}

/** A position in pixels after n frames: `start + speed × n + bend × n²`. */
export interface Motion {
  readonly start: number;
  readonly speed: number;
  readonly bend: number;
}

/** What a bird of a clip does, in order. */
export interface Part {
  readonly bird: string;
  /** Pixels of the picture for a unit of its drawing. */
  readonly scale: number;
  readonly steps: readonly Step[];
}

/** What decides how the birds of a clip move: the same values give the same steps. */
export interface Choreography {
  readonly seed: string;
  readonly place: Place;
  readonly birds: readonly string[];
  readonly frames: number;
}

/** How long wings stay up or down, in frames. */
export const beatFrames = 2;

const flightFrames = 14;
const hopFrames = 5;
const maxLeaps = 6;
/** A bird from its bill to where its tail begins, in units of its drawing. */
const bodyLength = 110;
/** Steps of a bird: the picture of a great tit is this much larger than its drawing. */
const unitScale = 1.42;

/** Position after n frames of a step. */
export const positionAt = ({ start, speed, bend }: Motion, n: number): number =>
  start + speed * n + bend * n * n;

/** Returns what each bird of a clip does: it comes, lands, pecks, looks around, hops and leaves. */
export function choreograph({ seed, place, birds, frames }: Choreography): readonly Part[] {
  const random = seededRandom(`${seed} steps`);
  return birds.map((bird, index) => {
    const scale = unitScale * sizeOf(bird) ** 0.8;
    const first = wholeBetween(random, 6, 14) + index * wholeBetween(random, 5, 12);
    const last =
      frames - wholeBetween(random, 8, 16) - (birds.length - 1 - index) * wholeBetween(random, 0, 6);
    const lane = { index, lanes: birds.length };
    const steps = clings(bird)
      ? climb(random, first, last)
      : visit(random, { bird, place, first, last, lane, scale });
    return { bird, scale, steps };
  });
}

interface Visit {
  readonly bird: string;
  readonly place: Place;
  readonly first: number;
  readonly last: number;
  readonly lane: { readonly index: number; readonly lanes: number };
  readonly scale: number;
}

function visit(random: Random, { bird, place, first, last, lane, scale }: Visit): Step[] {
  const area = standing[place];
  const flies = canFly(bird);
  const width = (area.right - area.left) / lane.lanes;
  // Between the feet of neighbours is room for a body, as far as the table is wide enough.
  const gap = Math.min(bodyLength * scale, 0.9 * width);
  const left = area.left + lane.index * width + (lane.index > 0 ? gap / 2 : 0);
  const right = area.left + (lane.index + 1) * width - (lane.index < lane.lanes - 1 ? gap / 2 : 0);
  const y = Math.round(between(random, area.back, area.front));
  let x = Math.round(between(random, left, right));
  // Who walks comes by the shorter way.
  let isMirrored = flies ? chance(random, 0.4) : x > picture.width / 2;
  const writer = new StepWriter(first);
  const from = isMirrored ? picture.width + 260 : -260;
  if (flies) writer.fly([from, between(random, 60, 220)], [x, y], isMirrored, flightFrames, 'landing');
  else writer.run([isMirrored ? picture.width + 260 : -220, y], [x, y], isMirrored);
  const end = last - (flies ? flightFrames : maxLeaps * hopFrames);
  writer.stay('alert', isMirrored, [x, y], wholeBetween(random, 6, 11), y);
  while (writer.at < end - 10) {
    const what = random();
    if (what < 0.46) {
      for (let pecks = wholeBetween(random, 1, 3); pecks > 0 && writer.at < end - 10; pecks -= 1) {
        writer.stay('dip', isMirrored, [x, y], 1, y);
        writer.stay('peck', isMirrored, [x, y], wholeBetween(random, 3, 6), y);
        writer.stay('dip', isMirrored, [x, y], 1, y);
        writer.stay('stand', isMirrored, [x, y], wholeBetween(random, 3, 7), y);
      }
    } else if (what < 0.72) {
      writer.stay('look', isMirrored, [x, y], wholeBetween(random, 6, 13), y);
      writer.stay('stand', isMirrored, [x, y], wholeBetween(random, 3, 6), y);
    } else if (what < 0.84) {
      isMirrored = !isMirrored;
      writer.stay('stand', isMirrored, [x, y], wholeBetween(random, 6, 10), y);
    } else {
      const reach = wholeBetween(random, 24, 60) * (isMirrored ? -1 : 1);
      if (x + reach > left && x + reach < right) {
        writer.hop([x, y], x + reach, isMirrored);
        x += reach;
      }
      writer.stay('stand', isMirrored, [x, y], wholeBetween(random, 3, 7), y);
    }
  }
  writer.stay('alert', isMirrored, [x, y], Math.max(end - writer.at, 2), y);
  const away = flies ? isMirrored : x < picture.width / 2;
  const side = away ? -280 : picture.width + 280;
  if (flies) writer.fly([x, y], [side, between(random, -60, 200)], away, flightFrames, 'leaving');
  else writer.run([x, y], [side, y], away);
  return writer.steps;
}

/** Of those who cling to trunks: they hammer and climb. */
function climb(random: Random, first: number, last: number): Step[] {
  const x = trunk.x;
  let y = wholeBetween(random, trunk.top + 50, trunk.bottom);
  const writer = new StepWriter(first);
  writer.fly([-260, between(random, 80, 200)], [x, y], false, flightFrames, 'landing');
  const end = last - flightFrames;
  while (writer.at < end - 14) {
    writer.stay('stand', false, [x, y], wholeBetween(random, 5, 12));
    for (let knocks = wholeBetween(random, 3, 6); knocks > 0; knocks -= 1) {
      writer.stay('peck', false, [x, y], 2);
      writer.stay('stand', false, [x, y], 1);
    }
    if (chance(random, 0.5) && y > trunk.top) {
      writer.stay('hop', false, [x, y - 8], 2);
      y -= 18;
    }
    writer.stay('look', false, [x, y], wholeBetween(random, 4, 9));
  }
  writer.stay('stand', false, [x, y], Math.max(end - writer.at, 1));
  writer.fly([x, y], [-280, between(random, 0, 180)], true, flightFrames, 'leaving');
  return writer.steps;
}

/** Adds steps one after another. */
class StepWriter {
  readonly steps: Step[] = [];
  at: number;

  constructor(at: number) {
    this.at = at;
  }

  stay(
    pose: Pose,
    isMirrored: boolean,
    [x, y]: readonly [number, number],
    frames: number,
    groundY?: number,
  ): void {
    const to = this.at + frames - 1;
    const ground = groundY === undefined ? {} : { groundY };
    this.steps.push({ pose, isMirrored, from: this.at, to, x: still(x), y: still(y), ...ground });
    this.at = to + 1;
  }

  hop([x, y]: readonly [number, number], toX: number, isMirrored: boolean): void {
    const n = hopFrames;
    const height = 26;
    const motion = { start: y, speed: (-4 * height) / n, bend: (4 * height) / (n * n) };
    const steps = { isMirrored, from: this.at, to: this.at + n - 1, groundY: y };
    this.steps.push({ pose: 'hop', ...steps, x: { start: x, speed: (toX - x) / n, bend: 0 }, y: motion });
    this.at += n;
  }

  /** Comes fast and brakes, or leaves ever faster. */
  fly(
    [x, y]: readonly [number, number],
    [toX, toY]: readonly [number, number],
    isMirrored: boolean,
    frames: number,
    kind: 'landing' | 'leaving',
  ): void {
    const n = frames;
    // A landing ends with no speed, a departure begins with a little.
    const ease = (start: number, end: number): Motion => {
      const way = end - start;
      return kind === 'landing'
        ? { start, speed: (2 * way) / n, bend: -way / (n * n) }
        : { start, speed: (0.35 * way) / n, bend: (0.65 * way) / (n * n) };
    };
    const shared = { isMirrored, from: this.at, to: this.at + n - 1, x: ease(x, toX), y: ease(y, toY) };
    this.steps.push({ pose: 'wings-up', ...shared, beat: 0 }, { pose: 'wings-down', ...shared, beat: 1 });
    this.at += n;
  }

  /** On its feet in leaps, as far as the way is long. */
  run([x, y]: readonly [number, number], [toX]: readonly [number, number], isMirrored: boolean): void {
    const leaps = Math.min(maxLeaps, Math.max(2, Math.round(Math.abs(toX - x) / 170)));
    const stride = (toX - x) / leaps;
    for (let leap = 0; leap < leaps; leap += 1)
      this.hop([Math.round(x + stride * leap), y], Math.round(x + stride * (leap + 1)), isMirrored);
  }
}

const still = (start: number): Motion => ({ start, speed: 0, bend: 0 });
