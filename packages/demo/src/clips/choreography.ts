import { canFly, clings, type Pose, sizeOf } from '../birds/index.js';
import { between, chance, integerBetween, type Random, seededRandom } from '../random/index.js';
import { type Place, picture, standing, trunk } from '../scenes/index.js';

/** Frames per second of all clips. */
export const frameRate = 15;

/** A pose of a bird that is shown for some frames while the bird moves. */
export interface Step {
  readonly pose: Pose;
  /** Whether the bird faces left. */
  readonly isMirrored: boolean;
  /** First frame. */
  readonly from: number;
  /** Last frame, inclusive. */
  readonly to: number;
  /** Position of the feet. */
  readonly x: Motion;
  readonly y: Motion;
  /** Set for two steps in the same frames that alternate, for wings that go up and down. */
  readonly beat?: 0 | 1;
  /** Position of the shadow; absent in the air. */
  readonly groundY?: number;
}

/** A position in pixels after n frames of a step: `start + speed × n + bend × n²`. */
export interface Motion {
  readonly start: number;
  readonly speed: number;
  readonly bend: number;
}

/** A bird of a clip and its steps in order. */
export interface Part {
  readonly bird: string;
  /** Pixels of the picture per unit of its drawing. */
  readonly scale: number;
  readonly steps: readonly Step[];
}

/** The input of {@link choreograph}; the same values always result in the same steps. */
export interface Choreography {
  readonly seed: string;
  readonly place: Place;
  readonly birds: readonly string[];
  readonly frames: number;
}

/** Number of frames for which wings stay up or down. */
export const beatFrames = 2;

const flightFrames = 14;
const hopFrames = 5;
const maxLeaps = 6;
/** Length of a bird from its bill to the base of its tail, in units of its drawing. */
const bodyLength = 110;
/** Scale of the drawing of a great tit in the picture. */
const unitScale = 1.42;

/** Returns the position after n frames of a step. */
export const positionAt = ({ start, speed, bend }: Motion, n: number): number =>
  start + speed * n + bend * n * n;

/** Returns the steps of each bird of a clip: it arrives, lands, pecks, looks around, hops and leaves. */
export function choreograph({ seed, place, birds, frames }: Choreography): readonly Part[] {
  const random = seededRandom(`${seed} steps`);
  return birds.map((bird, index) => {
    const scale = unitScale * sizeOf(bird) ** 0.8;
    const first = integerBetween(random, 6, 14) + index * integerBetween(random, 5, 12);
    const last =
      frames - integerBetween(random, 8, 16) - (birds.length - 1 - index) * integerBetween(random, 0, 6);
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
  // Neighbours are one body length apart, if the table is wide enough.
  const gap = Math.min(bodyLength * scale, 0.9 * width);
  const left = area.left + lane.index * width + (lane.index > 0 ? gap / 2 : 0);
  const right = area.left + (lane.index + 1) * width - (lane.index < lane.lanes - 1 ? gap / 2 : 0);
  const y = Math.round(between(random, area.back, area.front));
  let x = Math.round(between(random, left, right));
  // Animals that run enter from the nearer side.
  let isMirrored = flies ? chance(random, 0.4) : x > picture.width / 2;
  const writer = new StepWriter(first);
  const from = isMirrored ? picture.width + 260 : -260;
  if (flies) writer.fly([from, between(random, 60, 220)], [x, y], isMirrored, flightFrames, 'landing');
  else writer.run([isMirrored ? picture.width + 260 : -220, y], [x, y], isMirrored);
  const end = last - (flies ? flightFrames : maxLeaps * hopFrames);
  writer.stay('alert', isMirrored, [x, y], integerBetween(random, 6, 11), y);
  while (writer.at < end - 10) {
    const action = random();
    if (action < 0.46) {
      for (let pecks = integerBetween(random, 1, 3); pecks > 0 && writer.at < end - 10; pecks -= 1) {
        writer.stay('dip', isMirrored, [x, y], 1, y);
        writer.stay('peck', isMirrored, [x, y], integerBetween(random, 3, 6), y);
        writer.stay('dip', isMirrored, [x, y], 1, y);
        writer.stay('stand', isMirrored, [x, y], integerBetween(random, 3, 7), y);
      }
    } else if (action < 0.72) {
      writer.stay('look', isMirrored, [x, y], integerBetween(random, 6, 13), y);
      writer.stay('stand', isMirrored, [x, y], integerBetween(random, 3, 6), y);
    } else if (action < 0.84) {
      isMirrored = !isMirrored;
      writer.stay('stand', isMirrored, [x, y], integerBetween(random, 6, 10), y);
    } else {
      const reach = integerBetween(random, 24, 60) * (isMirrored ? -1 : 1);
      if (x + reach > left && x + reach < right) {
        writer.hop([x, y], x + reach, isMirrored);
        x += reach;
      }
      writer.stay('stand', isMirrored, [x, y], integerBetween(random, 3, 7), y);
    }
  }
  writer.stay('alert', isMirrored, [x, y], Math.max(end - writer.at, 2), y);
  const away = flies ? isMirrored : x < picture.width / 2;
  const side = away ? -280 : picture.width + 280;
  if (flies) writer.fly([x, y], [side, between(random, -60, 200)], away, flightFrames, 'leaving');
  else writer.run([x, y], [side, y], away);
  return writer.steps;
}

/** Returns the steps of a bird that clings to the trunk: it hammers and climbs. */
function climb(random: Random, first: number, last: number): Step[] {
  const x = trunk.x;
  let y = integerBetween(random, trunk.top + 50, trunk.bottom);
  const writer = new StepWriter(first);
  writer.fly([-260, between(random, 80, 200)], [x, y], false, flightFrames, 'landing');
  const end = last - flightFrames;
  while (writer.at < end - 14) {
    writer.stay('stand', false, [x, y], integerBetween(random, 5, 12));
    for (let knocks = integerBetween(random, 3, 6); knocks > 0; knocks -= 1) {
      writer.stay('peck', false, [x, y], 2);
      writer.stay('stand', false, [x, y], 1);
    }
    if (chance(random, 0.5) && y > trunk.top) {
      writer.stay('hop', false, [x, y - 8], 2);
      y -= 18;
    }
    writer.stay('look', false, [x, y], integerBetween(random, 4, 9));
  }
  writer.stay('stand', false, [x, y], Math.max(end - writer.at, 1));
  writer.fly([x, y], [-280, between(random, 0, 180)], true, flightFrames, 'leaving');
  return writer.steps;
}

/** Collects consecutive steps. */
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

  /** Adds a landing that slows down, or a departure that accelerates. */
  fly(
    [x, y]: readonly [number, number],
    [toX, toY]: readonly [number, number],
    isMirrored: boolean,
    frames: number,
    kind: 'landing' | 'leaving',
  ): void {
    const n = frames;
    // A landing ends at speed 0; a departure starts slowly.
    const ease = (start: number, end: number): Motion => {
      const distance = end - start;
      return kind === 'landing'
        ? { start, speed: (2 * distance) / n, bend: -distance / (n * n) }
        : { start, speed: (0.35 * distance) / n, bend: (0.65 * distance) / (n * n) };
    };
    const shared = { isMirrored, from: this.at, to: this.at + n - 1, x: ease(x, toX), y: ease(y, toY) };
    this.steps.push({ pose: 'wings-up', ...shared, beat: 0 }, { pose: 'wings-down', ...shared, beat: 1 });
    this.at += n;
  }

  /** Adds leaps along the ground; their number depends on the distance. */
  run([x, y]: readonly [number, number], [toX]: readonly [number, number], isMirrored: boolean): void {
    const leaps = Math.min(maxLeaps, Math.max(2, Math.round(Math.abs(toX - x) / 170)));
    const stride = (toX - x) / leaps;
    for (let leap = 0; leap < leaps; leap += 1)
      this.hop([Math.round(x + stride * leap), y], Math.round(x + stride * (leap + 1)), isMirrored);
  }
}

const still = (start: number): Motion => ({ start, speed: 0, bend: 0 });
