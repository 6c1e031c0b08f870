/** Visits of one day; days are numbers, as `dayNumber` counts them. */
export interface DayVisits {
  readonly day: number;
  readonly visits: number;
}

/** Days, both included. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
}

/** A stretch of presence. */
export interface Stay extends DaySpan {
  readonly arrives: boolean;
  readonly departs: boolean;
}

/** Days without a visit that count as absence. */
export const minAbsentDays = 42;

/**
 * Cuts the days with visits, in order, into stays of a year. `days` may reach beyond the year, so that a stay over New
 * Year neither arrives nor departs there. `watched` spans all visits of the hub: outside of it nobody knows.
 */
export function findStays(days: readonly number[], year: DaySpan, watched: DaySpan): Stay[] {
  const runs: { first: number; last: number }[] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && day - run.last <= minAbsentDays) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs.flatMap(({ first, last }) => {
    const within = days.filter(
      (day) => day >= Math.max(first, year.first) && day <= Math.min(last, year.last),
    );
    const [start, end] = [within.at(0), within.at(-1)];
    if (start === undefined || end === undefined) return [];
    return [
      {
        first: start,
        last: end,
        arrives: start === first && start - minAbsentDays > watched.first,
        departs: end === last && end + minAbsentDays < watched.last,
      },
    ];
  });
}

const peakDays = 7;

/** The seven days of a year with most visits, the first of equals; undefined without visits. */
export function findPeak(
  days: readonly DayVisits[],
  year: DaySpan,
): (DaySpan & { visits: number }) | undefined {
  let best: (DaySpan & { visits: number }) | undefined;
  let visits = 0;
  let from = 0;
  for (const one of days) {
    visits += one.visits;
    for (let old = days[from]; old && old.day <= one.day - peakDays; old = days[from]) {
      visits -= old.visits;
      from += 1;
    }
    const first = Math.min(days[from]?.day ?? one.day, year.last - peakDays + 1);
    if (!best || visits > best.visits) best = { first, last: first + peakDays - 1, visits };
  }
  return best;
}
