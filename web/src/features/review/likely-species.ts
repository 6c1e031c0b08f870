import type { components } from '../../api/schema';

type CalendarSpecies = components['schemas']['MigrationCalendar']['species'][number];
type DaySpecies = components['schemas']['Overview']['topSpecies'][number];

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/**
 * Returns the visits by species and month that are relevant for a detection: those with video, or those that were
 * audio-only.
 */
export function calendarOf(
  source: 'video' | 'audio',
  all: readonly CalendarSpecies[],
  seen: readonly CalendarSpecies[],
): CalendarSpecies[] {
  if (source === 'video') return seen.filter(({ total }) => total > 0);
  const seenById = new Map(seen.map((one) => [one.id, one.monthly_counts]));
  return all.flatMap((one) => {
    const counts = seenById.get(one.id) ?? [];
    const monthly_counts = one.monthly_counts.map((count, month) =>
      Math.max(0, count - (counts[month] ?? 0)),
    );
    const total = sum(monthly_counts);
    return total > 0 ? [{ ...one, monthly_counts, total }] : [];
  });
}

/** Season and hour of a detection. */
export interface LikelihoodContext {
  /** 0 is January. */
  readonly month: number;
  /** By the hub's clock, 0 to 23. */
  readonly hour: number;
  /** Visits by species and month; no other species is likely. */
  readonly calendar: readonly CalendarSpecies[];
  /** Detections of that day by species and hour. */
  readonly day: readonly DaySpecies[];
}

/** Number of suggestions; one for each of the keys 1 to 3. */
export const maxLikely = 3;

/** Weight of the day relative to the season. */
const dayWeight = 2;

const around = (counts: readonly number[], index: number) =>
  sum([-1, 0, 1].map((step) => counts.at((index + step) % counts.length) ?? 0));

/** Returns the share of the total count by species id. */
function shares(counts: readonly { readonly id: number; readonly count: number }[]): Map<number, number> {
  const total = Math.max(1, sum(counts.map(({ count }) => count)));
  return new Map(counts.map(({ id, count }) => [id, count / total]));
}

/**
 * Returns ids of species that a detection may be instead of `guess`, most likely first, by season and by hour of the
 * day.
 */
export function likelySpecies(guess: number | undefined, context: LikelihoodContext): number[] {
  const season = shares(
    context.calendar.map(({ id, monthly_counts }) => ({ id, count: around(monthly_counts, context.month) })),
  );
  const day = shares(
    context.day.map(({ id, detections }) => ({ id, count: around(detections, context.hour) })),
  );
  const possible = new Set(context.calendar.map(({ id }) => id));
  const score = (id: number) => (season.get(id) ?? 0) + dayWeight * (day.get(id) ?? 0);
  return [...possible]
    .filter((id) => id !== guess && score(id) > 0)
    .sort((a, b) => score(b) - score(a) || a - b)
    .slice(0, maxLikely);
}
