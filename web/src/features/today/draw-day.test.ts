import { describe, expect, it } from 'vitest';
import { nightsOf, temperatureLines } from './draw-day';

const hourOf = (instant: string) => Number(instant.slice(11, 13)) + Number(instant.slice(14, 16)) / 60;
const at = (clock: string) => `2026-05-04T${clock}:00Z`;
const sun = (sunrise: string | null, sunset: string | null) => ({ sunrise, sunset });

describe('nights', () => {
  it('of a common day, are before sunrise and after sunset', () => {
    expect(nightsOf(sun(at('06:30'), at('20:15')), hourOf)).toEqual([
      { from: 0, to: 6.5 },
      { from: 20.25, to: 24 },
    ]);
  });

  it('where the sun sets after midnight, are between sunset and sunrise', () => {
    expect(nightsOf(sun(at('02:00'), at('00:30')), hourOf)).toEqual([{ from: 0.5, to: 2 }]);
  });

  it.each([undefined, {}, sun(null, null), sun(at('06:00'), null)])('of %j, are not known', (times) => {
    expect(nightsOf(times, hourOf)).toEqual([]);
  });
});

describe('temperature lines', () => {
  const day = (known: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => known[hour] ?? null);

  it('of hours side by side, run from the coldest below to the warmest above, inside the frame', () => {
    const [line = []] = temperatureLines(day({ 6: 0, 7: 5, 8: 10 }));
    expect(line.map(({ x }) => x)).toEqual([6.5, 7.5, 8.5]);
    const [coldest, middle, warmest] = line.map(({ y }) => y);
    expect(coldest).toBeCloseTo(0.88);
    expect(middle).toBeCloseTo(0.5);
    expect(warmest).toBeCloseTo(0.12);
  });

  it('with hours that nobody knows, are pieces', () => {
    const lines = temperatureLines(day({ 1: 3, 2: 3, 5: 4, 8: 1, 9: 1 }));
    expect(lines.map((line) => line.map(({ x }) => x))).toEqual([
      [1.5, 2.5],
      [8.5, 9.5],
    ]);
  });

  it('of a calm day, do not fill the height', () => {
    const [line = []] = temperatureLines(day({ 1: 10, 2: 11 }));
    expect(Math.abs((line[0]?.y ?? 0) - (line[1]?.y ?? 0))).toBeLessThan(0.25);
  });

  it('of a day without any, are none', () => {
    expect(temperatureLines(day({}))).toEqual([]);
  });
});
