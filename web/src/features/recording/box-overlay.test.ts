import { describe, expect, it } from 'vitest';
import { boxAt, placeBox, placePicture } from './box-overlay';

const frames = [
  { t: 1, bbox: [0, 0, 0.2, 0.2] },
  { t: 2, bbox: [0.4, 0.2, 0.6, 0.4] },
  { t: 4, bbox: [0.4, 0.6, 0.6, 0.8] },
];

describe('placePicture', () => {
  it.each([
    [
      'a picture with the ratio of its frame, fills it',
      { width: 1920, height: 1080 },
      { left: 0, top: 0, width: 800, height: 450 },
    ],
    [
      'a narrower picture, has bars at the sides',
      { width: 400, height: 300 },
      { left: 100, top: 0, width: 600, height: 450 },
    ],
    [
      'a wider picture, has bars above and below',
      { width: 2000, height: 500 },
      { left: 0, top: 125, width: 800, height: 200 },
    ],
    [
      'a picture of unknown size, fills the frame',
      { width: 0, height: 0 },
      { left: 0, top: 0, width: 800, height: 450 },
    ],
  ])('%s', (_case, picture, place) => {
    expect(placePicture(picture, { width: 800, height: 450 })).toEqual(place);
  });
});

describe('boxAt', () => {
  it('at the time of a frame, returns its box', () => {
    expect(boxAt(frames, 2)).toEqual([0.4, 0.2, 0.6, 0.4]);
  });

  it('between two frames, interpolates the box', () => {
    expect(boxAt(frames, 1.5)?.map((edge) => edge.toFixed(2))).toEqual(['0.20', '0.10', '0.40', '0.30']);
    expect(boxAt(frames, 3)?.[1]).toBeCloseTo(0.4);
  });

  it('just before the first or after the last frame, returns its box', () => {
    expect(boxAt(frames, 0.9)).toEqual([0, 0, 0.2, 0.2]);
    expect(boxAt(frames, 4.15)).toEqual([0.4, 0.6, 0.6, 0.8]);
  });

  it('long before, long after or without frames, returns undefined', () => {
    expect([boxAt(frames, 0.5), boxAt(frames, 4.5), boxAt([], 1)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('placeBox', () => {
  const picture = { left: 100, top: 0, width: 600, height: 450 };

  it('a box, is placed on the picture and not on its bars', () => {
    expect(placeBox([0.5, 0.2, 0.75, 0.4], picture)).toEqual({ left: 400, top: 90, width: 150, height: 90 });
  });

  it('a box beyond the edge, is clipped to the picture', () => {
    expect(placeBox([-0.05, 0, 1.05, 1], picture)).toEqual(picture);
  });
});
