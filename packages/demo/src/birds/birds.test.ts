import { describe, expect, it } from 'vitest';
import { birdListOf, regions } from '../plan/bird-lists.js';
import { singers } from '../songs/index.js';
import { draw, drawable, photographed, photographOf, poses, sizeOf } from './index.js';

const drawnLists = regions.map((region) => birdListOf(region));
const photographLists = regions.map((region) => birdListOf(region, '/photographs'));

const listed = drawnLists.flatMap(({ birds, owl, squirrel }) => [
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
  it('birds of all lists, have a song or a recorded call', () => {
    const birds = photographLists.flatMap(({ birds: own, owl }) => [...own, { name: owl, looks: [] }]);
    const isSilent = ({ name, looks = [] }: (typeof birds)[number]) =>
      !singers.includes(name) && !looks.some((look) => photographOf(look)?.call);
    expect(birds.filter(isSilent)).toEqual([]);
  });
});

describe('birdListOf', () => {
  it('with photographs, shows each of them, and no drawing of the same plumage', () => {
    const looks = photographLists.flatMap(({ birds }) => birds.flatMap((bird) => bird.looks ?? [bird.name]));
    expect(photographed.filter((look) => !looks.includes(look))).toEqual([]);
    expect(looks).not.toContain('Eurasian Blackbird');
    expect(looks).toContain('Eurasian Blackbird, female');
    expect(looks).toContain('European Robin');
  });

  it('without photographs, has drawn birds only', () => {
    expect(listed.filter((look) => photographed.includes(look))).toEqual([]);
    expect(listed).toContain('Eurasian Blackbird');
    expect(listed).not.toContain('Rock Pigeon');
  });

  it('names of photographed birds, begin with the name of the species', () => {
    for (const { name, looks = [] } of photographLists.flatMap(({ birds }) => birds))
      for (const look of looks) expect(look.split(',')[0]).toBe(name);
  });
});
