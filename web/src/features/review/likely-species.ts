import type { components } from '../../api/schema';

type CalendarSpecies = components['schemas']['MigrationCalendar']['species'][number];
type DaySpecies = components['schemas']['Overview']['topSpecies'][number];

/** What is known of the time of a detection. */
export interface Circumstances {
  /** 0 is January. */
  readonly month: number;
  /** By the hub's clock, 0 to 23. */
  readonly hour: number;
  /** How often species came, by month. */
  readonly calendar: readonly CalendarSpecies[];
  /** Who came on that day, by hour. */
  readonly day: readonly DaySpecies[];
}

/** As many as stand beside the other answers without hiding what is looked at; one for each of the keys 1 to 3. */
export const maxLikely = 3;

/** How much a species of that day counts, against one of that season. */
const dayWeight = 2;

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const around = (counts: readonly number[], place: number) =>
  sum([-1, 0, 1].map((step) => counts.at((place + step) % counts.length) ?? 0));

/** What came then, as shares of all that came. */
function shares(came: readonly { readonly id: number; readonly count: number }[]): Map<number, number> {
  const total = Math.max(1, sum(came.map(({ count }) => count)));
  return new Map(came.map(({ id, count }) => [id, count / total]));
}

/**
 * Ids of the species that a detection may be instead of what it was taken for, the likeliest first: what comes at this
 * season and came around this hour of the day.
 */
export function likelySpecies(guess: number | undefined, then: Circumstances): number[] {
  const season = shares(
    then.calendar.map(({ id, monthly_counts }) => ({ id, count: around(monthly_counts, then.month) })),
  );
  const day = shares(then.day.map(({ id, detections }) => ({ id, count: around(detections, then.hour) })));
  const score = (id: number) => (season.get(id) ?? 0) + dayWeight * (day.get(id) ?? 0);
  return [...new Set([...season.keys(), ...day.keys()])]
    .filter((id) => id !== guess && score(id) > 0)
    .sort((a, b) => score(b) - score(a) || a - b)
    .slice(0, maxLikely);
}
