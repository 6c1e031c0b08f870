import type { Frame } from '@birdhub/domain/recordings';
import { type Light, type Place, picture, type Season } from '../scenes/index.js';
import { beatFrames, choreograph, frameRate, type Part, positionAt, type Step } from './choreography.js';
import { makeSprite, type Sprite } from './sprites.js';

/** A clip of the demo, which these values determine completely; several recordings may use the same clip. */
export interface Clip {
  /** The names of the visible birds, of which there must be a drawing or a photograph. */
  readonly birds: readonly string[];
  /** The bird that sings; absent for a clip without song. */
  readonly singer?: string | undefined;
  /** Folder of the photographs and recorded calls of its birds. */
  readonly photographsDir?: string | undefined;
  readonly place: Place;
  readonly season: Season;
  readonly light: Light;
  readonly seconds: number;
  /** Distinguishes clips with the same content but different movements and songs. */
  readonly take: number;
}

/** The boxes of a bird in a clip while it is visible; times in seconds from the start of the clip. */
export interface Track {
  readonly bird: string;
  readonly start: number;
  readonly end: number;
  readonly frames: readonly Frame[];
}

/** A sprite, and the steps that show it. */
export interface PlacedSprite {
  readonly sprite: Sprite;
  readonly steps: readonly Step[];
}

/** A bird of a clip with its pictures. */
export interface DrawnPart extends Part {
  readonly sprites: readonly PlacedSprite[];
}

/** Returns the name of a clip, which is the same for equal clips and is used in file names. */
export function nameOf({ birds, singer, place, season, light, seconds, take }: Clip): string {
  const who = birds.length ? birds.join('+') : 'nobody';
  const sings = singer === undefined ? '' : `~${singer}`;
  return `${who}${sings}-${place}-${season}-${light}-${seconds}-${take}`
    .toLowerCase()
    .replace(/[^a-z0-9+~-]+/g, '_');
}

/** Returns the birds of a clip with all their pictures. */
export async function drawParts(clip: Clip): Promise<readonly DrawnPart[]> {
  const parts = choreograph({
    seed: nameOf(clip),
    place: clip.place,
    birds: clip.birds,
    frames: clip.seconds * frameRate,
  });
  return Promise.all(
    parts.map(async (part) => {
      const byPicture = new Map<string, Step[]>();
      for (const step of part.steps) {
        const key = `${step.pose} ${step.isMirrored}`;
        byPicture.set(key, [...(byPicture.get(key) ?? []), step]);
      }
      const sprites = await Promise.all(
        [...byPicture.values()].map(async (steps) => {
          const { pose = 'stand', isMirrored = false } = steps[0] ?? {};
          const { bird, scale } = part;
          const { light, photographsDir } = clip;
          return {
            steps,
            sprite: await makeSprite({ bird, pose, isMirrored, light, scale, photographsDir }),
          };
        }),
      );
      return { ...part, sprites };
    }),
  );
}

/** About four boxes per second, like a detector on a small computer. */
const framesPerBox = 4;
/** A bird is detected when at least this share of it is inside the picture. */
const minVisibleShare = 0.55;

/** Returns the tracks of the birds as a perfect detector would find them. */
export function tracksOf(parts: readonly DrawnPart[]): readonly Track[] {
  return parts.flatMap(({ bird, sprites, steps }) => {
    const last = Math.max(...steps.map(({ to }) => to));
    const frames: Frame[] = [];
    for (let frame = 0; frame <= last; frame += framesPerBox) {
      const bbox = boxIn(sprites, frame);
      if (bbox) frames.push({ t: thousandth(frame / frameRate), bbox });
    }
    const [first, end] = [frames[0], frames.at(-1)];
    return first && end ? [{ bird, start: first.t, end: end.t, frames }] : [];
  });
}

/** Returns the box of a bird in a frame; undefined when it flies or is mostly outside the picture. */
function boxIn(sprites: readonly PlacedSprite[], frame: number): Frame['bbox'] | undefined {
  for (const { sprite, steps } of sprites) {
    const step = steps.find((one) => isShown(one, frame));
    if (!step) continue;
    // Flying birds have no box, because crops should show field marks.
    if (step.beat !== undefined) return undefined;
    const { left, top } = cornerOf(step, sprite, frame);
    const right = left + sprite.width;
    const bottom = top + sprite.height;
    const [x1, y1] = [Math.max(left, 0), Math.max(top, 0)];
    const [x2, y2] = [Math.min(right, picture.width), Math.min(bottom, picture.height)];
    const share = (Math.max(x2 - x1, 0) * Math.max(y2 - y1, 0)) / (sprite.width * sprite.height);
    if (share < minVisibleShare) return undefined;
    const { width, height } = picture;
    return [
      hundredThousandth(x1 / width),
      hundredThousandth(y1 / height),
      hundredThousandth(x2 / width),
      hundredThousandth(y2 / height),
    ];
  }
  return undefined;
}

/** Returns whether the picture of a step is visible in a frame. */
function isShown({ from, to, beat }: Step, frame: number): boolean {
  if (frame < from || frame > to) return false;
  return beat === undefined || Math.floor((frame - from) / beatFrames) % 2 === beat;
}

/** Returns the upper left corner of a sprite, on even pixels, as ffmpeg places it. */
function cornerOf(
  { from, x, y }: Step,
  { footX, footY }: Sprite,
  frame: number,
): { left: number; top: number } {
  const n = frame - from;
  return { left: even(positionAt(x, n) - footX), top: even(positionAt(y, n) - footY) };
}

const even = (position: number) => Math.floor(Math.trunc(position) / 2) * 2;
const thousandth = (value: number) => Math.round(value * 1_000) / 1_000;
const hundredThousandth = (value: number) => Math.round(value * 1e5) / 1e5;
