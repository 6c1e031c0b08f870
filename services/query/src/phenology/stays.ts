/** Number of visits of a day; days are numbers, see `dayNumber`. */
export interface DayVisits {
  readonly day: number;
  readonly visits: number;
}

/** A range of days, inclusive. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
}

/** A period of presence. */
export interface Stay extends DaySpan {
  readonly arrives: boolean;
  readonly departs: boolean;
}

/** Number of days without a visit that count as absence. */
export const minAbsentDays = 42;

/**
 * Groups the sorted days with visits into stays of a year. `days` may extend beyond the year, so that a stay over New
 * Year has neither an arrival nor a departure there. `watched` spans all visits of the hub; outside of it presence is
 * unknown.
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

/** Returns the first seven-day period with the most visits of a year; undefined without visits. */
export function findPeak(
  days: readonly DayVisits[],
  year: DaySpan,
): (DaySpan & { visits: number }) | undefined {
  let best: (DaySpan & { visits: number }) | undefined;
  let visits = 0;
  let from = 0;
  for (const one of days) {
    visits += one.visits;
    for (let outside = days[from]; outside && outside.day <= one.day - peakDays; outside = days[from]) {
      visits -= outside.visits;
      from += 1;
    }
    const first = Math.min(days[from]?.day ?? one.day, year.last - peakDays + 1);
    if (!best || visits > best.visits) best = { first, last: first + peakDays - 1, visits };
  }
  return best;
}
