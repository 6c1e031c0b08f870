import { type Language, languages } from '../../i18n/languages';

/** Search parameters of the wall view, which configure a display without a keyboard. */
export interface WallSearch {
  /** For e-paper: nothing moves, black on white, redrawn only at the interval. */
  readonly eink?: 1;
  /** Language; overrides that of the browser. */
  readonly lang?: Language;
  /** Only the visits of this camera. */
  readonly camera?: string;
  readonly theme?: 'light' | 'dark';
  /** Seconds between two refreshes. */
  readonly interval?: number;
  /** Hours during which it is dimmed, such as `22-6`. */
  readonly dim?: string;
}

/** Limits of `interval` in seconds. */
const minInterval = 10;
const maxInterval = 3_600;
const hours = /^([01]?\d|2[0-3])-([01]?\d|2[0-3])$/;
const maxCameraLength = 64;

/** Validates search parameters; invalid ones are dropped, as nobody is at the display to correct them. */
export function wallSearch(raw: Record<string, unknown>): WallSearch {
  const { eink, lang, camera, theme, interval, dim } = raw;
  const seconds = Number(interval);
  const isTimed = (typeof interval === 'number' || typeof interval === 'string') && seconds > 0;
  return {
    ...((eink === 1 || eink === '1' || eink === true) && { eink: 1 }),
    ...(typeof lang === 'string' && Object.hasOwn(languages, lang) && { lang: lang as Language }),
    ...((typeof camera === 'string' || typeof camera === 'number') &&
      String(camera) !== '' &&
      String(camera).length <= maxCameraLength && { camera: String(camera) }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(isTimed && { interval: Math.min(maxInterval, Math.max(minInterval, Math.round(seconds))) }),
    ...(typeof dim === 'string' && hours.test(dim) && { dim }),
  };
}

/** Whether an hour of the day, 0 to 23, is within `22-6`; the last hour is exclusive. */
export function isDimmedAt(dim: string | undefined, hour: number): boolean {
  const [, from, until] = hours.exec(dim ?? '') ?? [];
  if (from === undefined || until === undefined) return false;
  const [first, last] = [Number(from), Number(until)];
  return first <= last ? hour >= first && hour < last : hour >= first || hour < last;
}
