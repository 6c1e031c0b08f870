import { describeVisit, type TimelineItem } from '../../components/visits/describe-visit';
import type { SpeciesSummary } from './species-queries';

/** A crop of a detection. */
interface Crop {
  readonly detectionId: number;
  readonly videoId: number;
  readonly startTime: string;
  /** ThumbHash in Base64. */
  readonly thumbhash: string | null;
}

/** Returns the best crops of visits by confidence, at most `max`. */
export function chooseCrops(visits: readonly TimelineItem[], max: number): Crop[] {
  return (
    visits
      // Visits without media have no crops.
      .flatMap((visit) => {
        const { best, thumbhash } = describeVisit(visit);
        return visit.media_kind === null || best === undefined ? [] : [{ best, thumbhash }];
      })
      .sort((one, other) => other.best.confidence - one.best.confidence)
      .slice(0, max)
      .map(({ best: { id, video_id, start_time }, thumbhash }) => ({
        detectionId: id,
        videoId: video_id,
        startTime: start_time,
        thumbhash,
      }))
  );
}

type WeatherCount = SpeciesSummary['stats']['weather'][number];

/** Cloud cover, least first. */
export const skies = ['clear', 'partly', 'covered'] as const;
type Sky = (typeof skies)[number];

/** Visits by temperature step, coldest first, and by cloud cover. */
interface WeatherGroups {
  readonly temperatures: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly skies: Readonly<Record<Sky, number>>;
}

/** °C per step. */
const stepDegrees = 5;

function skyOf(clouds: number): Sky {
  if (clouds < 25) return 'clear';
  return clouds < 75 ? 'partly' : 'covered';
}

/** Groups visits by weather, without gaps between the coldest and the warmest step. */
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
  const temperatures = Array.from({ length }, (_, index) => ({
    from: (first + index) * stepDegrees,
    to: (first + index + 1) * stepDegrees,
    count: bySteps.get(first + index) ?? 0,
  }));
  return { temperatures, skies: bySky };
}

/** One hour of a 24-hour clock as an SVG path around (0, 0). */
interface Wedge {
  readonly hour: number;
  readonly count: number;
  readonly path: string;
}

const hours = 24;
/** Gap between wedges as a share of an hour. */
const gap = 0.16;

const pointAt = (radius: number, turn: number): string => {
  const angle = (turn / hours) * 2 * Math.PI;
  return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
};

function wedgePath(hour: number, inner: number, outer: number): string {
  const [from, to] = [hour + gap / 2, hour + 1 - gap / 2];
  return [
    `M${pointAt(inner, from)}`,
    `L${pointAt(outer, from)}`,
    `A${outer.toFixed(2)} ${outer.toFixed(2)} 0 0 1 ${pointAt(outer, to)}`,
    `L${pointAt(inner, to)}`,
    `A${inner} ${inner} 0 0 0 ${pointAt(inner, from)}Z`,
  ].join('');
}

/** Returns wedges with areas proportional to the counts; none for empty hours. */
export function hourWedges(counts: readonly number[], inner: number, outer: number): Wedge[] {
  const max = Math.max(1, ...counts);
  return counts.flatMap((count, hour) => {
    if (count === 0) return [];
    const radius = Math.sqrt(inner ** 2 + (count / max) * (outer ** 2 - inner ** 2));
    return [{ hour, count, path: wedgePath(hour, inner, radius) }];
  });
}

/** Returns the first hour with the highest count; undefined if all are zero. */
export function busiestHour(counts: readonly number[]): number | undefined {
  const max = Math.max(0, ...counts);
  return max === 0 ? undefined : counts.indexOf(max);
}

/** Returns the short name of a Creative Commons licence URL, such as `CC BY-NC-SA 4.0`; undefined for others. */
export function licenceName(address: string): string | undefined {
  const [, kind, version] = address.match(/creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)/i) ?? [];
  if (kind && version) return `CC ${kind.toUpperCase()} ${version}`;
  return /creativecommons\.org\/publicdomain\/zero/i.test(address) ? 'CC0' : undefined;
}
