import type { components } from '../../api/schema';

type SunTimes = components['schemas']['SunTimes'];

/** Part of the day in clock hours. */
export interface HourRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the hours of a day before sunrise and after sunset; empty if unknown and during polar day or night. */
export function nightsOf(
  sun: SunTimes | undefined,
  hourOf: (instant: string) => number,
): readonly HourRange[] {
  if (!sun?.sunrise || !sun.sunset) return [];
  const [rise, set] = [hourOf(sun.sunrise), hourOf(sun.sunset)];
  if (set < rise) return [{ from: set, to: rise }];
  return [
    { from: 0, to: rise },
    { from: set, to: 24 },
  ];
}

/** x is the hour of the day, y the share of the height from the top. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/** Share of the height above and below the curve. */
const margin = 0.12;
/** Minimum temperature range of the chart, so that a day with little change looks flat. */
const minSpanDegrees = 4;

/** Returns one line for each run of at least two known hours. */
export function temperatureLines(
  temperatures: readonly (number | null)[],
): readonly (readonly LinePoint[])[] {
  const known = temperatures.filter((one) => one !== null);
  const middle = (Math.min(...known) + Math.max(...known)) / 2;
  const span = Math.max(minSpanDegrees, Math.max(...known) - Math.min(...known));
  const pieces: LinePoint[][] = [[]];
  for (const [hour, temperature] of temperatures.entries()) {
    if (temperature === null) pieces.push([]);
    else {
      const y = 0.5 - ((temperature - middle) / span) * (1 - 2 * margin);
      pieces.at(-1)?.push({ x: hour + 0.5, y });
    }
  }
  return pieces.filter((piece) => piece.length > 1);
}
