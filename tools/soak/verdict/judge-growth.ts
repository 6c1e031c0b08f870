import type { Span } from '../watch/span.js';
import type { Check } from './check.js';
import { fitLine } from './fit-line.js';

/** The growth that is accepted as flat. */
interface Flatness {
  /** Maximum growth per hour as a share of the level, or `floor` if that is greater. */
  readonly share: number;
  readonly floor: number;
  /** Divisor for displayed values. */
  readonly unit: number;
  readonly unitName: string;
}

/** More lenient than for heaps, as the runtime decides when it releases memory of a process. */
const memory: Flatness = { share: 0.2, floor: 8e6, unit: 1e6, unitName: 'MB' };
const heaps: Flatness = { share: 0.1, floor: 4e6, unit: 1e6, unitName: 'MB' };
const files: Flatness = { share: 0.1, floor: 30, unit: 1, unitName: 'files' };
/** Maximum ratio of the last third of the run to the middle one, in addition to the floor. */
const maxRise = 1.2;
const secondsPerHour = 3_600;
/** Open files are not judged, as each of its processes keeps the files of the tables that it has used open. */
const keepsFiles = 'postgres';

/** Returns the spans without the first third of the run, in which caches, connections and heaps reach their size. */
export const afterWarmUp = <T>(spans: readonly T[]): readonly T[] =>
  spans.slice(Math.floor(spans.length / 3));

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function judge(what: string, points: readonly { x: number; y: number }[], flatness: Flatness): Check {
  const { share, floor, unit, unitName } = flatness;
  const { level, slope, uncertainty } = fitLine(points);
  const allowed = Math.max(share * level, floor);
  const half = Math.floor(points.length / 2);
  const [before, after] = [points.slice(0, half), points.slice(half)].map((part) =>
    median(part.map(({ y }) => y)),
  );
  const isSteady = (after ?? Number.NaN) <= (before ?? 0) * maxRise + floor;
  const shown = [level, slope, uncertainty, allowed].map((value) => (value / unit).toFixed(1));
  return {
    what,
    measured: `${shown[0]} ${unitName}, ${shown[1]} ± ${shown[2]} an hour`,
    bound: `at most ${shown[3]} an hour (beyond two standard errors)`,
    isKept: slope - uncertainty <= allowed && isSteady,
  };
}

/**
 * Checks that the resources of the processes do not grow after the warm-up: the slope of a line through the spans, minus
 * two standard errors, is at most the allowed growth per hour, and the last spans use at most a fifth more than those
 * before.
 */
export function judgeGrowth(spans: readonly Span[]): Check[] {
  const judged = afterWarmUp(spans);
  const names = Object.keys(judged[0]?.processes ?? {});
  const points = (name: string, figure: 'bytes' | 'heapBytes' | 'openFiles') =>
    judged.flatMap(({ endSeconds, processes }) => {
      const y = processes[name]?.[figure];
      return y === undefined ? [] : [{ x: endSeconds / secondsPerHour, y }];
    });
  return names.flatMap((name) => {
    const heap = points(name, 'heapBytes');
    return [
      judge(`memory of ${name}`, points(name, 'bytes'), memory),
      ...(heap.length ? [judge(`heap of ${name}, least in a span`, heap, heaps)] : []),
      ...(name === keepsFiles ? [] : [judge(`open files of ${name}`, points(name, 'openFiles'), files)]),
    ];
  });
}
