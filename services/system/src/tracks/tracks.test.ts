import type { Frame } from '@birdhub/domain/recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignTracks, type Box, cleanFrames, iou, tidyFrames } from './tracks.js';

const frame = (t: number, ...bbox: [number, number, number, number]): Frame => ({ t, bbox });
const still = (t: number) => frame(t, 0.2, 0.2, 0.4, 0.5);
const anyNumber = fc.double({ min: -0.5, max: 1.5 });
const anyFrame = fc.record({
  t: fc.double({ min: -1, max: 60 }),
  bbox: fc.tuple(anyNumber, anyNumber, anyNumber, anyNumber),
});

describe('cleanFrames', () => {
  it('invalid boxes, are dropped', () => {
    const none = [
      frame(1, Number.NaN, 0, 1, 1),
      frame(Number.NaN, 0, 0, 1, 1),
      frame(2, 0.5, 0, 0.5, 1),
      frame(3, 0.6, 0, 0.4, 1),
      frame(4, 1.1, 0, 1.3, 1),
      frame(-1, 0, 0, 1, 1),
    ];
    expect(cleanFrames(none)).toEqual([]);
  });

  it('frames in any order, are sorted by time and unique', () => {
    expect(cleanFrames([still(2), still(1), still(2)])).toEqual([still(1), still(2)]);
  });
});

describe('tidyFrames', () => {
  it('a bird that sits still, stays in its place', () => {
    const tidy = tidyFrames([still(0), still(0.37), still(1)]);
    expect(tidy).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1].map(still));
  });

  it('a bird that moves evenly, still does', () => {
    const moved = (t: number) => frame(t, t / 10, 0, t / 10 + 0.1, 0.1);
    for (const { t, bbox } of tidyFrames([moved(0), moved(1), moved(2)])) {
      expect(bbox[0]).toBeCloseTo(t / 10, 3);
    }
  });

  it('a bird that was out of sight, has no frames meanwhile', () => {
    const times = tidyFrames([still(0), still(1), still(9), still(10)]).map(({ t }) => t);
    expect(times.filter((t) => t > 1 && t < 9)).toEqual([]);
    expect(times).toHaveLength(12);
  });

  it('a single frame, is kept', () => {
    expect(tidyFrames([still(0.33)])).toEqual([still(0.33)]);
  });

  it('any frames, become boxes in the picture, in order, within their time', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 40 }), (frames) => {
        const clean = cleanFrames(frames);
        const tidy = tidyFrames(frames);
        expect(tidy.length > 0).toBe(clean.length > 0);
        tidy.forEach(({ t, bbox: [x1, y1, x2, y2] }, index) => {
          expect(x1 >= 0 && x1 <= x2 && x2 <= 1 && y1 >= 0 && y1 <= y2 && y2 <= 1).toBe(true);
          expect(t).toBeGreaterThan((clean[0]?.t ?? 0) - 1e-4);
          expect(t).toBeLessThan((clean.at(-1)?.t ?? 0) + 1e-4);
          expect(t).toBeGreaterThanOrEqual(tidy[index - 1]?.t ?? 0);
        });
      }),
    );
  });
});

const track = (start: number, end: number, x = 0): Frame[] =>
  Array.from({ length: (end - start) * 5 + 1 }, (_, index) => ({
    t: start + index / 5,
    bbox: [x, 0, x + 0.1, 0.1],
  }));

describe('assignTracks', () => {
  it('a detection, gets the track with the longest overlap, cut to its time', () => {
    const assigned = assignTracks([{ id: 1, start: 2, end: 5 }], [track(0, 3), track(1, 9, 0.5)]);
    const frames = assigned.get(1) ?? [];
    expect([frames[0]?.t, frames.at(-1)?.t, frames[0]?.bbox[0]]).toEqual([2, 5, 0.5]);
  });

  it('two detections at once, get one track each', () => {
    const both = [
      { id: 1, start: 0, end: 4 },
      { id: 2, start: 1, end: 4 },
    ];
    const assigned = assignTracks(both, [track(0, 4), track(1, 4, 0.5)]);
    expect([assigned.get(1)?.[0]?.bbox[0], assigned.get(2)?.[0]?.bbox[0]]).toEqual([0, 0.5]);
    expect([...assignTracks(both, [track(0, 4)]).keys()]).toEqual([1]);
  });

  it('one detection after another, share a track that covers both', () => {
    const after = [
      { id: 1, start: 0, end: 2 },
      { id: 2, start: 3, end: 4 },
    ];
    expect([...assignTracks(after, [track(0, 4)]).keys()]).toEqual([1, 2]);
  });

  it('a track at other times, is not assigned', () => {
    expect(assignTracks([{ id: 1, start: 5, end: 6 }], [track(0, 4)]).size).toBe(0);
  });
});

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const anyBox = fc.tuple(fraction, fraction, fraction, fraction) as fc.Arbitrary<Box>;

describe('iou', () => {
  it.each<[Box, Box, number]>([
    [[0, 0, 1, 1], [0, 0, 1, 1], 1],
    [[0, 0, 0.5, 1], [0.5, 0, 1, 1], 0],
    [[0, 0, 0.5, 1], [0.25, 0, 0.75, 1], 1 / 3],
    [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], 0],
  ])('%j and %j, give %d', (one, other, expected) => {
    expect(iou(one, other)).toBeCloseTo(expected, 9);
  });

  it('any two boxes, give a share, the same in either order', () => {
    fc.assert(
      fc.property(anyBox, anyBox, (one, other) => {
        expect(iou(one, other)).toBeGreaterThanOrEqual(0);
        expect(iou(one, other)).toBeLessThanOrEqual(1 + 1e-9);
        expect(iou(one, other)).toBeCloseTo(iou(other, one), 12);
      }),
    );
  });
});
