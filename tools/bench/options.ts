import { parseArgs } from 'node:util';
import { isScaleName, type ScaleName, scaleNames } from './data-set/scale.js';

/** The options of the command line. */
export interface BenchOptions {
  readonly scale: ScaleName;
  /** Empty for all. */
  readonly cases: readonly string[];
  readonly seconds: number;
  readonly against: string | undefined;
  readonly isGrowth: boolean;
  readonly isList: boolean;
}

/** Thrown for an invalid command line. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

export const usage = `npm run bench -- [options]
  --scale 100k|1m|10m  size of the data set (1m)
  --case NAME          only this case; may be repeated
  --seconds N          how long each load lasts (10)
  --against REV        the same cases on another commit, in turn
  --growth             the loads at 100k and at 1m, compared
  --list               the cases`;

const options = {
  scale: { type: 'string', default: '1m' },
  case: { type: 'string', multiple: true, default: [] as string[] },
  seconds: { type: 'string', default: '10' },
  against: { type: 'string' },
  growth: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new OptionError((error as Error).message, { cause: error });
  }
}

/** @throws OptionError */
export function readOptions(args: readonly string[], caseNames: readonly string[]): BenchOptions {
  const { scale, case: cases, seconds, against, growth, list } = parse(args);
  if (!isScaleName(scale)) throw new OptionError(`--scale is one of ${scaleNames.join(', ')}`);
  const unknown = cases.find((name) => !caseNames.includes(name));
  if (unknown !== undefined) throw new OptionError(`no case "${unknown}": they are ${caseNames.join(', ')}`);
  const length = Number(seconds);
  if (!(length > 0 && length <= 600)) throw new OptionError('--seconds is a number up to 600');
  if (growth && against !== undefined) throw new OptionError('--growth and --against cannot be combined');
  return { scale, cases, seconds: length, against, isGrowth: growth, isList: list };
}
