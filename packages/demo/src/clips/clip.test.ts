import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawable } from '../birds/index.js';
import { places, standing } from '../scenes/index.js';
import { choreograph, frameRate, positionAt } from './choreography.js';
import { drawParts, nameOf, tracksOf } from './clip.js';

const birds = fc.constantFrom(...drawable);

describe('choreograph', () => {
  it('any bird, appears after the start, leaves before the end and never stands above the horizon', () => {
    const input = fc.record({
      bird: birds,
      place: fc.constantFrom(...places),
      seed: fc.string(),
      seconds: fc.integer({ min: 6, max: 12 }),
    });
    fc.assert(
      fc.property(input, ({ bird, place, seed, seconds }) => {
        const frames = seconds * frameRate;
        const [part] = choreograph({ seed, place, birds: [bird], frames });
        const steps = part?.steps ?? [];
        expect(Math.min(...steps.map(({ from }) => from))).toBeGreaterThan(2);
        expect(Math.max(...steps.map(({ to }) => to))).toBeLessThan(frames + frameRate);
        for (const { groundY } of steps) {
          if (groundY === undefined) continue;
          expect(groundY).toBeGreaterThanOrEqual(standing[place].back);
          expect(groundY).toBeLessThanOrEqual(standing[place].front);
        }
      }),
    );
  });

  it('steps of a bird, follow each other without gaps and jumps', () => {
    const [part] = choreograph({ seed: 'steps', place: 'garden', birds: ['Great Tit'], frames: 120 });
    const steps = (part?.steps ?? []).filter(({ beat }) => beat !== 1);
    for (const [index, step] of steps.slice(1).entries()) {
      const before = steps[index];
      if (!before) throw new Error('there is a step before');
      expect(step.from).toBe(before.to + 1);
      const at = before.to + 1 - before.from;
      expect(Math.abs(positionAt(before.x, at) - step.x.start)).toBeLessThan(1.01);
      expect(Math.abs(positionAt(before.y, at) - step.y.start)).toBeLessThan(1.01);
    }
  });

  it('birds of one scene, never stand on top of each other', () => {
    const input = fc.record({
      bird: fc.constantFrom(
        'Eurasian Siskin',
        'European Starling',
        'Eurasian Collared-Dove',
        'House Sparrow',
      ),
      count: fc.constantFrom(2, 3),
      place: fc.constantFrom(...places),
      seed: fc.string(),
    });
    fc.assert(
      fc.property(input, ({ bird, count, place, seed }) => {
        const parts = choreograph({
          seed,
          place,
          birds: Array.from({ length: count }, () => bird),
          frames: 120,
        });
        const lane = (standing[place].right - standing[place].left) / count;
        for (let frame = 0; frame < 120; frame += 3) {
          const feet = parts.flatMap(({ steps }) => {
            const step = steps.find(
              ({ from, to, groundY }) => groundY !== undefined && from <= frame && frame <= to,
            );
            return step ? [positionAt(step.x, frame - step.from)] : [];
          });
          for (const [index, x] of feet.slice(1).entries())
            expect(x - (feet[index] ?? 0)).toBeGreaterThanOrEqual(Math.min(0.9 * lane, 110 * 1.2) - 1);
        }
      }),
    );
  });
});

describe('tracksOf', () => {
  it('boxes of every bird in a clip, lie inside the picture and the duration', async () => {
    const clip = { birds: ['Eurasian Magpie', 'Eurasian Wren'], place: 'balcony', season: 'spring' } as const;
    const parts = await drawParts({ ...clip, light: 'dawn', seconds: 8, take: 0 });
    const tracks = tracksOf(parts);
    expect(tracks.map(({ bird }) => bird)).toEqual(clip.birds);
    for (const { start, end, frames } of tracks) {
      expect(frames.length).toBeGreaterThan(8);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(8);
      for (const { bbox } of frames) {
        const [x1, y1, x2, y2] = bbox;
        expect(x1).toBeGreaterThanOrEqual(0);
        expect(y1).toBeGreaterThanOrEqual(0);
        expect(x2).toBeLessThanOrEqual(1);
        expect(y2).toBeLessThanOrEqual(1);
        expect(x2 - x1).toBeGreaterThan(0.01);
        expect(y2 - y1).toBeGreaterThan(0.01);
      }
    }
  });
});

describe('nameOf', () => {
  it('clips that differ in any respect, have different names that are valid file names', () => {
    const clip = {
      birds: ['Great Tit'],
      place: 'garden',
      season: 'spring',
      light: 'day',
      seconds: 7,
      take: 0,
    } as const;
    const names = [
      clip,
      { ...clip, birds: [] },
      { ...clip, singer: 'Great Tit' },
      { ...clip, light: 'dusk' as const },
      { ...clip, seconds: 8 },
      { ...clip, take: 1 },
    ].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9+~_-]+$/);
  });
});
