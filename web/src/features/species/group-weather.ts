import type { SpeciesSummary } from './species-queries';

type WeatherCount = SpeciesSummary['stats']['weather'][number];

/** How much of the sky is covered, least first. */
export const skies = ['clear', 'partly', 'covered'] as const;
export type Sky = (typeof skies)[number];

/** Visits by temperature in steps, the coldest first, and by sky. */
export interface WeatherGroups {
  readonly temperatures: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly skies: Readonly<Record<Sky, number>>;
}

/** °C in one step of the temperatures. */
const stepDegrees = 5;

function skyOf(clouds: number): Sky {
  if (clouds < 25) return 'clear';
  return clouds < 75 ? 'partly' : 'covered';
}

/** Sums up in what weather there were visits, without gaps between the coldest and the warmest step. */
export function groupWeather(rows: readonly WeatherCount[]): WeatherGroups {
  const bySky = { clear: 0, partly: 0, covered: 0 };
  const bySteps = new Map<number, number>();
  for (const { temp, clouds, visits } of rows) {
    const step = Math.floor(temp / stepDegrees);
    bySteps.set(step, (bySteps.get(step) ?? 0) + visits);
    bySky[skyOf(clouds)] += visits;
  }
  const steps = [...bySteps.keys()];
  const first = Math.min(...steps);
  const length = steps.length === 0 ? 0 : Math.max(...steps) - first + 1;
  const temperatures = Array.from({ length }, (_, at) => ({
    from: (first + at) * stepDegrees,
    to: (first + at + 1) * stepDegrees,
    count: bySteps.get(first + at) ?? 0,
  }));
  return { temperatures, skies: bySky };
}
