import { describe, expect, it } from 'vitest';
import { groupWeather } from './group-weather';

describe('groupWeather', () => {
  it('birds by warm and cold, are summed up in steps without gaps', () => {
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

  it('clouds, are three kinds of sky', () => {
    const rows = [0, 24, 25, 74, 75, 100].map((clouds) => ({ temp: 1, clouds, count: 9, visits: 1 }));
    expect(groupWeather(rows).skies).toEqual({ clear: 2, partly: 2, covered: 2 });
  });

  it('no weather, gives no steps', () => {
    expect(groupWeather([])).toEqual({ temperatures: [], skies: { clear: 0, partly: 0, covered: 0 } });
  });
});
