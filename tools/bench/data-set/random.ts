/** A source of randomness that gives the same numbers for the same seed on every machine. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  float(): number;
  /** Returns a whole number from 0 to `below` - 1. */
  integer(below: number): number;
  chance(probability: number): boolean;
  /** Returns a normally distributed number with mean 0 and standard deviation 1. */
  normal(): number;
  exponential(mean: number): number;
}

/** Returns the FNV-1a hash of a text; `offset` is its initial value. */
function hash(text: string, offset: number): number {
  let value = offset;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}

/** Returns the generator sfc32, seeded with a text. Its first 12 numbers are skipped, as they resemble the seed. */
function sfc32(seed: string): () => number {
  let a = hash(seed, 0x811c9dc5);
  let b = hash(seed, 0x2f0b4a27);
  let c = hash(seed, 0x7a5d39b1);
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** Creates a generator; the same seed always gives the same numbers. */
export function createRandom(seed: string): Random {
  const float = sfc32(seed);
  const positive = () => 1 - float();
  return {
    float,
    integer: (below) => Math.floor(float() * below),
    chance: (probability) => float() < probability,
    normal: () => Math.sqrt(-2 * Math.log(positive())) * Math.cos(2 * Math.PI * float()),
    exponential: (mean) => -mean * Math.log(positive()),
  };
}

/** Returns the cumulative sums of weights, for {@link pickIndex}. */
export function accumulate(weights: readonly number[]): Float64Array {
  const sums = new Float64Array(weights.length);
  let sum = 0;
  for (const [index, weight] of weights.entries()) {
    sum += weight;
    sums[index] = sum;
  }
  return sums;
}

/** Returns the index of a weight, chosen with a probability proportional to it. */
export function pickIndex(random: Random, sums: Float64Array): number {
  const target = random.float() * (sums.at(-1) ?? 0);
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
