import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Place, type Region, regionPlaces, regions } from '@birdhub/demo/plan';
import { errorMessage } from '@birdhub/shared/errors';

/** The options of a run of the demo. */
export interface DemoOptions {
  hub: string;
  token: string | undefined;
  recordingsDir: string;
  cacheDir: string;
  region: Region;
  seed: string;
  place: Place;
  zone: string;
  /** Number of calendar days to fill, including today; 0 for none. */
  days: number;
  /** Recordings of each day, without those at night; undefined for 60 to 120. */
  perDay?: number | undefined;
  /** Recordings per minute in live mode; undefined for no live mode. */
  rate: number | undefined;
}

/** Thrown for an invalid command line. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** The output of `--help`. */
export const usage = `npm run demo -- [options]

Plays a detection processor: makes video clips and posts them to the hub.
Without --days and --rate it fills today and goes on live, 6 recordings a minute, until Ctrl-C.

  --days N         fill the last N days up to now, then go on live, 1 recording a minute unless --rate is given
  --once           end when the days are filled
  --per-day N      about N recordings on each of those days, 10 to 120 (60 to 120, as it comes)
  --rate N         go on live with N recordings a minute, 0.1 to 60
  --hub URL        address of the hub (HUB, else http://localhost:8080 with BASE_PATH)
  --species LIST   europe or america (europe)
  --seed TEXT      another seed makes other days (1)
  --place LAT,LON  where the sun rises and sets (52.5,13.4)
  --help           this text

Environment: RECORDINGS_DIR (else DATA_DIR/recordings), PROCESSOR_SECRET, TZ.`;

/**
 * Reads the command line and the environment; `undefined` for `--help`.
 *
 * @throws OptionError
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): DemoOptions | undefined {
  const given = parse(args);
  if (given.help) return undefined;
  const region = regions.find((name) => name === (given.species ?? 'europe'));
  if (region === undefined) throw new OptionError(`--species must be one of ${regions.join(', ')}.`);
  const days = given.days === undefined ? undefined : wholeNumber('--days', given.days, 1, 3650);
  const perDay =
    given['per-day'] === undefined ? undefined : wholeNumber('--per-day', given['per-day'], 10, 120);
  const rate = given.rate === undefined ? undefined : number('--rate', given.rate, 0.1, 60);
  if (given.once && rate !== undefined) throw new OptionError('--once and --rate exclude each other.');
  const liveRate = days === undefined ? 6 : 1;
  const dataDir = env['DATA_DIR'] || './data';
  return {
    hub: hubAddress(given.hub ?? (env['HUB'] || 'http://localhost:8080'), env['BASE_PATH'] ?? ''),
    token: env['PROCESSOR_SECRET'] || undefined,
    recordingsDir: resolve(env['RECORDINGS_DIR'] || join(dataDir, 'recordings')),
    cacheDir: resolve(dataDir, 'demo-cache'),
    region,
    seed: given.seed ?? '1',
    place: given.place === undefined ? regionPlaces[region] : placeOf(given.place),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: days ?? (rate === undefined ? 1 : 0),
    perDay,
    rate: given.once ? undefined : (rate ?? liveRate),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { days: text, rate: text, hub: text, species: text, seed: text, place: text };
  try {
    const flag = { type: 'boolean' } as const;
    return parseArgs({ args, options: { ...options, 'per-day': text, once: flag, help: flag } }).values;
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new OptionError(reason, { cause });
  }
}

/** Adds the base path to an address without a path. */
function hubAddress(address: string, basePath: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionError(`The address of the hub must look like http://localhost:8080, not ${address}.`);
  }
  const path = url.pathname === '/' ? `/${basePath}` : url.pathname;
  return `${url.origin}${path.replace(/\/+/g, '/').replace(/\/$/, '')}`;
}

function placeOf(text: string): Place {
  const [latitude, longitude, ...rest] = text.split(',');
  if (rest.length > 0) throw new OptionError('--place must be LATITUDE,LONGITUDE.');
  return {
    latitude: number('the latitude of --place', latitude, -90, 90),
    longitude: number('the longitude of --place', longitude, -180, 180),
  };
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = number(name, text, min, max);
  if (!Number.isInteger(value)) throw new OptionError(`${name} must be a whole number.`);
  return value;
}

function number(name: string, text: string | undefined, min: number, max: number): number {
  const value = text?.trim() ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new OptionError(`${name} must be a number from ${min} to ${max}.`);
}
