import { americanBirds } from './american-birds.js';
import type { BirdLook, Pose } from './bird-look.js';
import { type Drawing, drawBird } from './draw-bird.js';
import { drawOwl, type OwlLook, owls } from './draw-owl.js';
import { drawSquirrel, type SquirrelLook, squirrels } from './draw-squirrel.js';
import { europeanBirds } from './european-birds.js';

export { poses } from './bird-look.js';
export type { BirdLook, Drawing, Pose };

const birds: Readonly<Record<string, BirdLook>> = { ...europeanBirds, ...americanBirds };
const owlLooks: Readonly<Record<string, OwlLook>> = owls;
const squirrelLooks: Readonly<Record<string, SquirrelLook>> = squirrels;

/** The names of all that can be drawn: a species of the catalogue, or a species with a plumage. */
export const drawable: readonly string[] = [birds, owlLooks, squirrelLooks].flatMap((looks) =>
  Object.keys(looks),
);

/** Draws a bird or another animal that looks to the right. @throws Error when there is no drawing of it */
export function draw(name: string, pose: Pose): Drawing {
  const bird = birds[name];
  if (bird) return drawBird(bird, pose);
  const owl = owlLooks[name];
  if (owl) return drawOwl(owl, pose);
  const squirrel = squirrelLooks[name];
  if (squirrel) return drawSquirrel(squirrel, pose);
  throw new Error(`there is no drawing of ${name}`);
}

/** Returns how large it is: 1 is a great tit. @throws Error when there is no drawing of it */
export function sizeOf(name: string): number {
  const look = birds[name] ?? owlLooks[name] ?? squirrelLooks[name];
  if (!look) throw new Error(`there is no drawing of ${name}`);
  return look.size;
}

/** Whether it comes on the wing. */
export const canFly = (name: string) => !Object.hasOwn(squirrelLooks, name);

/** Whether it clings to trunks instead of standing. */
export const clings = (name: string) => birds[name]?.clings === true;
