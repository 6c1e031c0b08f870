import { BoundedMap } from './bounded-map.js';
import { UTC_DAY_MS } from './calendar-day.js';

/** No zone was ever further from UTC than Alaska's +15:02 of 1867. */
const FARTHEST_OFFSET_MS = 16 * 3_600_000;

/** One UTC day of a zone's clock, in which it is changed at most once (`change` is the end when it is not). */
interface ClockPiece {
  start: number;
  change: number;
  end: number;
  before: number;
  after: number;
}

interface ZoneClock {
  readOffset: (instant: number) => number;
  pieces: BoundedMap<number, ClockPiece>;
}

const zoneClocks = new BoundedMap<string, ZoneClock>(32);

function openZoneClock(zone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const readOffset = (instant: number): number => {
    const text = format.format(instant);
    const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
    if (parts === null) throw new Error(`no offset in "${text}" for zone ${zone}`);
    const [, sign, hours = 0, minutes = 0, seconds = 0] = parts;
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  };
  return { readOffset, pieces: new BoundedMap(2048) };
}

/** The first instant in (from, to] that has the offset of `to`. */
function findChange(readOffset: (instant: number) => number, from: number, to: number): number {
  const after = readOffset(to);
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (readOffset(middle) === after) late = middle;
    else early = middle;
  }
  return late;
}

function readPiece(readOffset: (instant: number) => number, utcDay: number): ClockPiece {
  const start = utcDay * UTC_DAY_MS;
  const end = start + UTC_DAY_MS;
  const before = readOffset(start);
  const after = readOffset(end - 1);
  const change = before === after ? end : findChange(readOffset, start, end - 1);
  return { start, change, end, before, after };
}

/** The piece of a zone's clock that a UTC day is. */
export function pieceOf(zone: string, utcDay: number): ClockPiece {
  const { readOffset, pieces } = zoneClocks.getOrAdd(zone, openZoneClock);
  return pieces.getOrAdd(utcDay, () => readPiece(readOffset, utcDay));
}

/**
 * What a zone's clock shows minus UTC, in ms, at an instant.
 * @throws RangeError for a zone that Intl does not know
 */
export function offsetMs(zone: string, instant: number): number {
  const piece = pieceOf(zone, Math.floor(instant / UTC_DAY_MS));
  return instant < piece.change ? piece.before : piece.after;
}

/** The first instant at which a zone's clock shows `wallMs` (as if UTC) or later: the end of a gap, the first of two. */
export function firstInstantAt(zone: string, wallMs: number): number {
  for (let utcDay = Math.floor((wallMs - FARTHEST_OFFSET_MS) / UTC_DAY_MS); ; utcDay += 1) {
    const piece = pieceOf(zone, utcDay);
    const early = Math.max(piece.start, wallMs - piece.before);
    if (early < piece.change) return early;
    const late = Math.max(piece.change, wallMs - piece.after);
    if (late < piece.end) return late;
  }
}

/** Three-letter names that IANA has; Intl takes more, such as BST for Dhaka, which nobody means. */
const SHORT_NAMES = new Set('UTC GMT UCT CET EET MET WET EST MST HST PRC ROC ROK'.split(' '));

/** Whether the name is an IANA time zone that this Node knows. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  if (name.length === 3) return SHORT_NAMES.has(name.toUpperCase());
  try {
    zoneClocks.getOrAdd(name, openZoneClock);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The IANA zone named by the value of the host's `TZ` (a leading colon is POSIX spelling), else UTC. */
export function hostTimeZone(tz: string | undefined): string {
  const name = (tz ?? '').replace(/^:/, '');
  return isTimeZone(name) ? name : 'UTC';
}
