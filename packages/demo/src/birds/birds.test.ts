import { describe, expect, it } from 'vitest';
import { birdLists } from '../plan/bird-lists.js';
import { singers } from '../songs/index.js';
import { draw, drawable, poses, sizeOf } from './index.js';

const listed = Object.values(birdLists).flatMap(({ birds, owl, squirrel }) => [
  ...birds.flatMap(({ name, looks = [name] }) => looks),
  owl,
  squirrel,
]);

describe('draw', () => {
  it('birds of all lists, can be drawn, at least 24 species', () => {
    expect(listed.filter((name) => !drawable.includes(name))).toEqual([]);
    expect(new Set(listed.map((name) => name.split(',')[0])).size).toBeGreaterThanOrEqual(24);
  });

  it('two different birds, never have the same drawing', () => {
    const svgs = drawable.map((name) => draw(name, 'stand').svg);
    expect(new Set(svgs).size).toBe(svgs.length);
  });

  it('every bird in every pose, is drawn with valid numbers and its feet inside the picture', () => {
    for (const name of drawable) {
      for (const pose of poses) {
        const { svg, size, foot } = draw(name, pose);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        for (const at of foot) {
          expect(at).toBeGreaterThan(0);
          expect(at).toBeLessThan(size);
        }
      }
      expect(sizeOf(name)).toBeGreaterThan(0.5);
    }
  });

  it('a bird without a drawing, throws an error that names it', () => {
    expect(() => draw('Dodo', 'stand')).toThrow('Dodo');
  });
});

describe('songs', () => {
  it('birds of all lists, have a song', () => {
    const birds = Object.values(birdLists).flatMap(({ birds: own, owl }) => [
      ...own.map(({ name }) => name),
      owl,
    ]);
    expect(birds.filter((name) => !singers.includes(name))).toEqual([]);
  });
});
