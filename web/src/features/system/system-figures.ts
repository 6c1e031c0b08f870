import type { components } from '../../api/schema';
import { addDays, dayOf, startOfDay } from '../../lib/days';

/** Status of the hub. */
export type Status = components['schemas']['Status'];

/** Parts, most important first. */
export const parts = [
  'web',
  'processor',
  'video',
  'yolo',
  'storage',
  'mqtt',
  'esphome',
] as const satisfies readonly (keyof Status)[];

export type Part = (typeof parts)[number];

export type State = Status[Part];

/** Returns the text key of the advice for a state, if any. */
export function adviceKey(
  part: Part,
  state: State,
): `advice.${Part}` | 'advice.processor_unknown' | undefined {
  if (state === 'unknown' && part === 'processor') return 'advice.processor_unknown';
  return state === 'error' ? `advice.${part}` : undefined;
}

/** Whether a part is not in use. */
export const isIdle = (state: State): boolean => state === 'not_used' || state === 'not_configured';

export type ActivityDay = components['schemas']['ActivityDay'];

/** Measures of a day; `totalUptime` in hours. */
export const measures = ['visits', 'recordings', 'totalUptime'] as const;

export type Measure = (typeof measures)[number];

/** Value of a day and its share of the highest value of the month. */
interface ActivityBar {
  readonly date: string;
  readonly value: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** Summary of a measure in a month. */
interface MonthOfMeasure {
  readonly sum: number;
  /** Undefined when all days are empty. */
  readonly best: ActivityBar | undefined;
  readonly bars: readonly ActivityBar[];
}

/** Summarises a month. For uptime, a full bar is 24 hours. */
export function summarizeMonth(days: readonly ActivityDay[], measure: Measure): MonthOfMeasure {
  const values = days.map((day) => day[measure]);
  const highest = measure === 'totalUptime' ? 24 : Math.max(1, ...values);
  const bars = days.map(({ date, [measure]: value }) => ({
    date,
    value,
    share: Math.min(1, value / highest),
  }));
  const best = bars.reduce<ActivityBar | undefined>(
    (best, bar) => (bar.value > (best?.value ?? 0) ? bar : best),
    undefined,
  );
  return { sum: values.reduce((sum, value) => sum + value, 0), best, bars };
}

type Progress = Pick<components['schemas']['Job'], 'progress'>;

/** Progress from 0 to 100; undefined until the total is known. */
export function percentDone({ progress: { processed, total } }: Progress): number | undefined {
  return total > 0 ? Math.min(100, Math.round((processed / total) * 100)) : undefined;
}

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;

/** Steps within a day and in days; each divides the next longer unit, so that ticks fall on round times. */
const stepsMs = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs);
const stepsDays = [1, 2, 5, 10];

/** Returns round local times between two instants in ms, at most `maxTicks`, for the axis of a chart. */
export function timeTicks(from: number, to: number, zone: string, maxTicks: number): number[] {
  const first = dayOf(new Date(from), zone);
  const stepMs = stepsMs.find((step) => (to - from) / step < maxTicks);
  const ticks: number[] = [];
  if (stepMs !== undefined) {
    // Day by day, so that a clock change shifts only the ticks of its own day.
    for (let day = first; startOfDay(day, zone).getTime() <= to; day = addDays(day, 1)) {
      const end = Math.min(to + 1, startOfDay(addDays(day, 1), zone).getTime());
      for (let at = startOfDay(day, zone).getTime(); at < end; at += stepMs) if (at >= from) ticks.push(at);
    }
    return ticks;
  }
  const days = stepsDays.find((step) => (to - from) / (step * dayMs) < maxTicks) ?? 30;
  for (let day = first; startOfDay(day, zone).getTime() <= to; day = addDays(day, days)) {
    const at = startOfDay(day, zone).getTime();
    if (at >= from) ticks.push(at);
  }
  return ticks;
}
