import { describe, expect, it } from 'vitest';
import { nightsOf, temperatureLines } from './draw-day';

const hourOf = (instant: string) => Number(instant.slice(11, 13)) + Number(instant.slice(14, 16)) / 60;
const at = (clock: string) => `2026-05-04T${clock}:00Z`;
const sun = (sunrise: string | null, sunset: string | null) => ({ sunrise, sunset });

describe('nightsOf', () => {
  it('on an ordinary day, returns the time before sunrise and after sunset', () => {
    expect(nightsOf(sun(at('06:30'), at('20:15')), hourOf)).toEqual([
      { from: 0, to: 6.5 },
      { from: 20.25, to: 24 },
    ]);
  });

  it('with sunset after midnight, returns the time between sunset and sunrise', () => {
    expect(nightsOf(sun(at('02:00'), at('00:30')), hourOf)).toEqual([{ from: 0.5, to: 2 }]);
  });

  it.each([undefined, {}, sun(null, null), sun(at('06:00'), null)])('with %j, returns none', (times) => {
    expect(nightsOf(times, hourOf)).toEqual([]);
  });
});

describe('temperatureLines', () => {
  const day = (known: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => known[hour] ?? null);

  it('with consecutive hours, runs from the coldest at the bottom to the warmest at the top', () => {
    const [line = []] = temperatureLines(day({ 6: 0, 7: 5, 8: 10 }));
    expect(line.map(({ x }) => x)).toEqual([6.5, 7.5, 8.5]);
    const [coldest, middle, warmest] = line.map(({ y }) => y);
    expect(coldest).toBeCloseTo(0.88);
    expect(middle).toBeCloseTo(0.5);
    expect(warmest).toBeCloseTo(0.12);
  });

  it('with missing hours, returns separate lines', () => {
    const lines = temperatureLines(day({ 1: 3, 2: 3, 5: 4, 8: 1, 9: 1 }));
    expect(lines.map((line) => line.map(({ x }) => x))).toEqual([
      [1.5, 2.5],
      [8.5, 9.5],
    ]);
  });

  it('with little change, does not fill the height', () => {
    const [line = []] = temperatureLines(day({ 1: 10, 2: 11 }));
    expect(Math.abs((line[0]?.y ?? 0) - (line[1]?.y ?? 0))).toBeLessThan(0.25);
  });

  it('without temperatures, returns none', () => {
    expect(temperatureLines(day({}))).toEqual([]);
  });
});
