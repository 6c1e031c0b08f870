const freshMs = 5 * 60_000;

/** Whether something a processor tells of, or tells, is less than five minutes ago. */
export function isFresh(at: number, now: number): boolean {
  return now - at < freshMs;
}
