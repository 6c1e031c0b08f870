const levels = 5;

/** Returns the minimum count of each level, faintest first, on a logarithmic scale. */
export function heatBounds(highest: number): number[] {
  if (highest < 1) return [];
  const steps = Array.from({ length: levels }, (_, level) => Math.ceil(highest ** (level / levels)));
  return [...new Set(steps)];
}

/** Returns the level of a count: 0 for none, `levels` for the highest. */
export function heatLevel(count: number, bounds: readonly number[]): number {
  const reached = bounds.findLastIndex((bound) => count >= bound) + 1;
  return reached === 0 ? 0 : reached + levels - bounds.length;
}

/** Shortens a count for a narrow column. */
export const shortCount = (count: number): string =>
  count < 10_000 ? `${count}` : `${Math.round(count / 1_000)}k`;
