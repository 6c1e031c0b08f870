import { type Day, dayOf } from './days';

const hourMs = 3_600_000;

/**
 * The first instant of a day in a zone (IANA name): its midnight, or when the clock jumps over that, the moment after.
 * Looked for by halves between an instant that is surely before it and one that is not.
 */
export function startOfDay(day: Day, zone: string): Date {
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  // No zone is more than 14 hours ahead of UTC, or 12 behind.
  let before = midnightUtc - 15 * hourMs;
  let within = midnightUtc + 13 * hourMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else within = middle;
  }
  return new Date(within);
}
