import { americanBirds } from './american-birds.js';
import type { BirdLook, Pose } from './bird-look.js';
import { type Drawing, drawBird } from './draw-bird.js';
import { drawOwl, type OwlLook, owls } from './draw-owl.js';
import { drawSquirrel, type SquirrelLook, squirrels } from './draw-squirrel.js';
import { europeanBirds } from './european-birds.js';
import { photographOf } from './photographs.js';

export { poses } from './bird-look.js';
export { findPhotographs, type Photograph, photographed, photographOf } from './photographs.js';
export type { BirdLook, Drawing, Pose };

const birds: Readonly<Record<string, BirdLook>> = { ...europeanBirds, ...americanBirds };
const owlLooks: Readonly<Record<string, OwlLook>> = owls;
const squirrelLooks: Readonly<Record<string, SquirrelLook>> = squirrels;

/** The names of all birds and squirrels that can be drawn: species of the catalogue, some with a plumage. */
export const drawable: readonly string[] = [birds, owlLooks, squirrelLooks].flatMap((looks) =>
  Object.keys(looks),
);

/** Draws a bird or squirrel that faces right. @throws Error when there is no drawing of it */
export function draw(name: string, pose: Pose): Drawing {
  const bird = birds[name];
  if (bird) return drawBird(bird, pose);
  const owl = owlLooks[name];
  if (owl) return drawOwl(owl, pose);
  const squirrel = squirrelLooks[name];
  if (squirrel) return drawSquirrel(squirrel, pose);
  throw new Error(`there is no drawing of ${name}`);
}

/** Returns the size of an animal in the picture; 1 is a great tit. @throws Error when there is no picture of it */
export function sizeOf(name: string): number {
  const look = birds[name] ?? owlLooks[name] ?? squirrelLooks[name] ?? photographOf(name);
  if (!look) throw new Error(`there is no picture of ${name}`);
  return look.size;
}

/** Returns whether an animal can fly. */
export const canFly = (name: string) => !Object.hasOwn(squirrelLooks, name);

/** Returns whether a bird clings to trunks instead of standing. */
export const clings = (name: string) => birds[name]?.clings === true;
