import { describe, expect, it } from 'vitest';
import {
  countPlaces,
  maxPaths,
  type PlacedTrack,
  placeColumns,
  placeRows,
  selectPaths,
} from './camera-places.js';

const aTrack = (boxes: readonly (readonly number[])[], detectionId = 1): PlacedTrack => ({
  detectionId,
  videoId: 10,
  speciesId: 3,
  speciesName: 'Great Tit',
  start: new Date('2026-05-01T08:00:00Z'),
  seconds: 1.5,
  boxes,
});
const filled = (boxes: readonly (readonly number[])[]) =>
  countPlaces([aTrack(boxes)]).flatMap((count, cell) => (count ? [cell] : []));

describe('countPlaces', () => {
  it('no bird, is a grid of zeros', () => {
    expect(countPlaces([])).toEqual(new Array(placeColumns * placeRows).fill(0));
  });

  it('a bird that fills the picture, is in every cell once', () => {
    const whole = [0, 0, 1, 1];
    expect(countPlaces([aTrack([whole, whole])])).toEqual(new Array(placeColumns * placeRows).fill(1));
  });

  it.each([
    ['left above', [0, 0, 0.001, 0.001], 0],
    ['right below', [1, 1, 1, 1], placeColumns * placeRows - 1],
    ['outside of the picture', [1.2, -0.5, 1.4, -0.2], placeColumns - 1],
  ])('a bird smaller than a cell, %s, is in the cell of its centre', (_, box, cell) => {
    expect(filled([box])).toEqual([cell]);
  });

  it('a box of two by two cells, fills these', () => {
    const box = [4 / placeColumns, 2 / placeRows, 6 / placeColumns, 4 / placeRows];
    expect(filled([box])).toEqual([68, 69, 100, 101]);
  });

  it('two birds in one place, are both counted', () => {
    const box = [0.5, 0.5, 0.51, 0.51];
    expect(Math.max(...countPlaces([aTrack([box, box]), aTrack([box], 2)]))).toBe(2);
  });
});

describe('selectPaths', () => {
  it('a bird that moves, has a path of centres, and one that sits has none', () => {
    const sits = [[0.1, 0.1, 0.2, 0.2]];
    const flies = [
      [0, 0.4, 0.2, 0.6],
      [0.4, 0.2, 0.6, 0.4],
    ];
    expect(selectPaths([aTrack([...sits, ...sits], 1), aTrack(flies, 2)])).toEqual([
      {
        detection_id: 2,
        video_id: 10,
        start_time: '2026-05-01T08:00:00.000Z',
        seconds: 1.5,
        species_id: 3,
        species_name: 'Great Tit',
        points: [
          [0.1, 0.5],
          [0.5, 0.3],
        ],
      },
    ]);
  });

  it('more birds than the limit, are cut off in their order', () => {
    const flies = [
      [0, 0, 0.1, 0.1],
      [0.9, 0.9, 1, 1],
    ];
    const tracks = Array.from({ length: maxPaths + 5 }, (_, id) => aTrack(flies, id));
    expect(selectPaths(tracks).map(({ detection_id }) => detection_id)).toEqual(
      Array.from({ length: maxPaths }, (_, id) => id),
    );
  });
});
