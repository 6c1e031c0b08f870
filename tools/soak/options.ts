import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface SoakOptions {
  readonly minutes: number;
  /** Recordings posted per second. */
  readonly rate: number;
}

/** Thrown for an invalid command line. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Shorter runs end before memory has settled, and do not change the document. */
export const minMinutesToStore = 15;

export const usage = `npm run soak -- [options]
  --minutes N  how long recordings are posted (30); the document is written after ${minMinutesToStore} and more
  --rate N     recordings a second (20)`;

const options = {
  minutes: { type: 'string', default: '30' },
  rate: { type: 'string', default: '20' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new OptionError((error as Error).message, { cause: error });
  }
}

/** @throws OptionError */
export function readOptions(args: readonly string[]): SoakOptions {
  const given = parse(args);
  const minutes = Number(given.minutes);
  if (!(minutes >= 0.5 && minutes <= 1_440)) throw new OptionError('--minutes is a number from 0.5 to 1440');
  const rate = Number(given.rate);
  if (!(rate > 0 && rate <= 500)) throw new OptionError('--rate is a number up to 500');
  return { minutes, rate };
}
