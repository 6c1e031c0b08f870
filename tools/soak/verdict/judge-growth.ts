import type { Span } from '../watch/span.js';
import type { Check } from './check.js';
import { fitLine } from './fit-line.js';

/** What may be taken for flat. */
interface Flatness {
  /** Growth in an hour as a share of the level, or this much in units if that is more. */
  readonly share: number;
  readonly floor: number;
  /** How many units are one that is shown. */
  readonly unit: number;
  readonly unitName: string;
}

/** Of a process much is the runtime's, which gives memory back when it likes; what is in use of a heap is its own. */
const memory: Flatness = { share: 0.2, floor: 8e6, unit: 1e6, unitName: 'MB' };
const heaps: Flatness = { share: 0.1, floor: 4e6, unit: 1e6, unitName: 'MB' };
const files: Flatness = { share: 0.1, floor: 30, unit: 1, unitName: 'files' };
/** What the last third of the run may hold more than the middle one, beside the floor. */
const mostRise = 1.2;
const secondsPerHour = 3_600;
/** Its processes come and go, and each keeps the files of the tables that it has touched. */
const keepsFiles = 'postgres';

/** The first third of the run, in which caches, connections and heaps find their size, is not judged. */
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
  const isSteady = (after ?? Number.NaN) <= (before ?? 0) * mostRise + floor;
  const shown = [level, slope, uncertainty, allowed].map((value) => (value / unit).toFixed(1));
  return {
    what,
    measured: `${shown[0]} ${unitName}, ${shown[1]} ± ${shown[2]} an hour`,
    bound: `surely not more than ${shown[3]} an hour`,
    isKept: slope - uncertainty <= allowed && isSteady,
  };
}

/**
 * Whether what the processes hold is flat: a line through the spans after the warm-up does not rise, by its slope less
 * two standard errors, by more than its share of the level in an hour, and the last spans hold no fifth more than those
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
