const levels = 5;

/** The least count of each level, the faintest first: steps grow by a factor, as some birds come a thousand times. */
export function heatBounds(highest: number): number[] {
  if (highest < 1) return [];
  const steps = Array.from({ length: levels }, (_, level) => Math.ceil(highest ** (level / levels)));
  return [...new Set(steps)];
}

/** The level of a count, 0 for none, and the strongest always {@link levels}. */
export function heatLevel(count: number, bounds: readonly number[]): number {
  const reached = bounds.findLastIndex((bound) => count >= bound) + 1;
  return reached === 0 ? 0 : reached + levels - bounds.length;
}

/** A count in few digits, for a narrow column. */
export const shortCount = (count: number): string =>
  count < 10_000 ? `${count}` : `${Math.round(count / 1_000)}k`;
