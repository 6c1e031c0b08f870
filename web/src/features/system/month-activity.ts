import type { components } from '../../api/schema';

export type ActivityDay = components['schemas']['ActivityDay'];

/** What is counted of a day; `totalUptime` in hours. */
export const measures = ['visits', 'recordings', 'totalUptime'] as const;

export type Measure = (typeof measures)[number];

/** A day of a measure, as high as it is beside the highest of the month. */
export interface ActivityBar {
  readonly date: string;
  readonly value: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** A month of one measure: its sum, its best day and a bar for each day. */
export interface MonthOfMeasure {
  readonly sum: number;
  /** Undefined while every day has nothing. */
  readonly best: ActivityBar | undefined;
  readonly bars: readonly ActivityBar[];
}

/** Sums up a month. A processor that was heard from all day long fills its bar, whatever the other days had. */
export function summarizeMonth(days: readonly ActivityDay[], measure: Measure): MonthOfMeasure {
  const values = days.map((day) => day[measure]);
  const highest = measure === 'totalUptime' ? 24 : Math.max(1, ...values);
  const bars = days.map(({ date, [measure]: value }) => ({
    date,
    value,
    share: Math.min(1, value / highest),
  }));
  const best = bars.reduce<ActivityBar | undefined>(
    (most, bar) => (bar.value > (most?.value ?? 0) ? bar : most),
    undefined,
  );
  return { sum: values.reduce((sum, value) => sum + value, 0), best, bars };
}
