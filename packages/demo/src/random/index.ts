/** A source of numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Returns the same numbers for the same seed on every machine: FNV-1a of the seed, then mulberry32. */
export function seededRandom(seed: string): Random {
  let state = hash(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a number from `min` (inclusive) to `max` (exclusive). */
export function between(random: Random, min: number, max: number): number {
  return min + random() * (max - min);
}

/** Returns an integer from `min` to `max`, both inclusive. */
export function integerBetween(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** Returns true with the given probability. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** Picks one of the items with a probability according to its weight, which must be positive. */
export function pickWeighted<T>(random: Random, items: readonly T[], weightOf: (item: T) => number): T {
  const total = items.reduce((sum, item) => sum + weightOf(item), 0);
  let rest = random() * total;
  const picked = items.find((item) => {
    rest -= weightOf(item);
    return rest < 0;
  });
  const chosen = picked ?? items.at(-1);
  if (chosen === undefined) throw new Error('nothing to pick from');
  return chosen;
}

/** Picks one of the items, all with the same probability. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return pickWeighted(random, items, () => 1);
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value | 0;
}
