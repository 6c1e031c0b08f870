import { createHash } from 'node:crypto';

/** The sides of a data set. */
export const splits = ['train', 'val'] as const;

/** One of {@link splits}. */
export type Split = (typeof splits)[number];

const hashValues = 2 ** 32;

/** The side of a visit: of its own hash alone, so that it stays there when others come and go. */
export function splitOf(visitId: number, seed: number, valRatio: number): Split {
  const hash = createHash('sha256').update(`${seed}:${visitId}`).digest().readUInt32BE() / hashValues;
  return hash < valRatio ? 'val' : 'train';
}
