import { describe, expect, it } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { busiestHour, chooseCrops, groupWeather, hourWedges, licenceName } from './summary-figures';

const visits = [
  createVisit({
    detections: [
      createDetection({ confidence: 0.4 }),
      createDetection({ id: 2, video_id: 102, confidence: 0.7 }),
    ],
  }),
  createVisit({ detections: [createDetection({ id: 3, confidence: 0.99, source: 'audio' })] }),
  createVisit({ detections: [createDetection({ id: 4, video_id: 104, confidence: 0.9 })] }),
];

describe('chooseCrops', () => {
  it('with several visits, returns one picture each, the most certain first, and none of sounds', () => {
    expect(chooseCrops(visits, 9).map(({ detectionId, videoId }) => [detectionId, videoId])).toEqual([
      [4, 104],
      [2, 102],
    ]);
  });

  it('with a thumbhash, passes it on', () => {
    const blurred = createVisit({ detections: [createDetection({ id: 5 })], thumbhash: 'blurred' });
    expect(chooseCrops([blurred], 1)[0]?.thumbhash).toBe('blurred');
  });

  it('with a limit, returns no more than that', () => {
    expect(chooseCrops(visits, 1)).toHaveLength(1);
  });
});

describe('groupWeather', () => {
  it('visits by temperature, are summed in steps without gaps', () => {
    const { temperatures } = groupWeather([
      { temp: -3, clouds: 0, count: 9, visits: 2 },
      { temp: 7, clouds: 0, count: 9, visits: 1 },
      { temp: 9, clouds: 0, count: 9, visits: 4 },
    ]);
    expect(temperatures).toEqual([
      { from: -5, to: 0, count: 2 },
      { from: 0, to: 5, count: 0 },
      { from: 5, to: 10, count: 5 },
    ]);
  });

  it('visits by cloud cover, are grouped into three kinds of sky', () => {
    const rows = [0, 24, 25, 74, 75, 100].map((clouds) => ({ temp: 1, clouds, count: 9, visits: 1 }));
    expect(groupWeather(rows).skies).toEqual({ clear: 2, partly: 2, covered: 2 });
  });

  it('without weather, returns no steps', () => {
    expect(groupWeather([])).toEqual({ temperatures: [], skies: { clear: 0, partly: 0, covered: 0 } });
  });
});

const day = (counts: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0);

describe('hourWedges', () => {
  it('hours without visits, have no wedge', () => {
    expect(hourWedges(day({ 6: 2, 18: 4 }), 20, 100).map(({ hour, count }) => [hour, count])).toEqual([
      [6, 2],
      [18, 4],
    ]);
    expect(hourWedges(day({}), 20, 100)).toEqual([]);
  });

  it('half the count, covers half the area', () => {
    const [half, whole] = hourWedges(day({ 3: 5, 4: 10 }), 20, 100).map(({ path }) =>
      Number(path.match(/A([\d.]+)/)?.[1]),
    );
    expect(whole).toBe(100);
    expect((half ?? 0) ** 2 - 400).toBeCloseTo((100 ** 2 - 400) / 2, -1);
  });

  it('midnight, is at the top and six in the morning a quarter turn to the right', () => {
    const starts = hourWedges(day({ 0: 1, 6: 1 }), 0, 100).map(({ path }) =>
      path
        .match(/L(-?[\d.]+) (-?[\d.]+)/)
        ?.slice(1)
        .map((text) => Math.round(Number(text))),
    );
    expect(starts).toEqual([
      [2, -100],
      [100, 2],
    ]);
  });
});

describe('busiestHour', () => {
  it.each([
    ['one hour with the most', day({ 7: 3, 9: 8 }), 9],
    ['several hours with the most', day({ 7: 8, 9: 8 }), 7],
    ['no visits', day({}), undefined],
  ])('with %s, returns the busiest hour or undefined', (_case, counts, hour) => {
    expect(busiestHour(counts)).toBe(hour);
  });
});

describe('licenceName', () => {
  it.each([
    ['https://creativecommons.org/licenses/by-nc-sa/4.0/', 'CC BY-NC-SA 4.0'],
    ['//creativecommons.org/licenses/by/3.0', 'CC BY 3.0'],
    ['https://creativecommons.org/publicdomain/zero/1.0/', 'CC0'],
    ['https://example.org/mine', undefined],
  ])('%s, is called %s', (address, name) => {
    expect(licenceName(address)).toBe(name);
  });
});
