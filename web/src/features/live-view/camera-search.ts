import { addDays, type Day } from '../../lib/days';

/** Ranges of a camera's page, by the number of days before the current one. */
const daysBefore = { today: 0, week: 6, month: 29, year: 364 } as const;

export const cameraRanges = Object.keys(daysBefore) as CameraRange[];

export type CameraRange = keyof typeof daysBefore;

/** Search parameters of a camera's page; the default range is a week. */
export interface CameraSearch {
  readonly range?: CameraRange;
}

export function cameraSearch({ range }: Record<string, unknown>): CameraSearch {
  const known = cameraRanges.find((name) => name === range);
  return known === undefined ? {} : { range: known };
}

/** Returns the first day of a range that ends today. */
export const firstDayOf = (range: CameraRange, today: Day): Day => addDays(today, -daysBefore[range]);
