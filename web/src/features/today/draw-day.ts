import type { components } from '../../api/schema';

type SunTimes = components['schemas']['SunTimes'];

/** A stretch of the day in hours by the clock. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** When the sun is down between midnight and midnight; nothing where that is not known or it never sets or rises. */
export function nightsOf(sun: SunTimes | undefined, hourOf: (instant: string) => number): readonly Stretch[] {
  if (!sun?.sunrise || !sun.sunset) return [];
  const [rise, set] = [hourOf(sun.sunrise), hourOf(sun.sunset)];
  if (set < rise) return [{ from: set, to: rise }];
  return [
    { from: 0, to: rise },
    { from: set, to: 24 },
  ];
}

/** Where a temperature stands: hour of the day across, share of the height from the top. */
export interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/** A curve keeps away from the edges by this share. */
const margin = 0.12;
/** Degrees that fill the height at least, so that a calm day looks calm. */
const leastSpan = 4;

/** A line in the middle of each hour, in as many pieces as the known hours make; a lone hour makes none. */
export function temperatureLines(
  temperatures: readonly (number | null)[],
): readonly (readonly LinePoint[])[] {
  const known = temperatures.filter((one) => one !== null);
  const middle = (Math.min(...known) + Math.max(...known)) / 2;
  const span = Math.max(leastSpan, Math.max(...known) - Math.min(...known));
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
