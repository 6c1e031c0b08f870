import { daysBefore, dayWindow, localDay, minuteMs, type TimeWindow } from '@birdhub/shared/time';
import { between, chance, integerBetween, type Random, seededRandom } from '../random/index.js';
import type { Light, Season } from '../scenes/index.js';
import type { BirdList } from './bird-lists.js';
import { type PlannedRecording, recordingAt } from './plan-recording.js';
import { planOwl, planSquirrel, planVisit, type VisitRecording } from './plan-visit.js';
import { activityAt, birdHours } from './rhythm.js';
import { type Place, type Sun, sunOf } from './sun.js';

/** How long dawn and dusk last before and after sunrise and sunset. */
const twilightMs = 35 * minuteMs;
/** Limits the search for free times on a day that is too short for its visits. */
const maxTries = 2_000;

/** The input of a plan; the same values always result in the same days. */
export interface PlanOptions {
  readonly seed: string;
  readonly list: BirdList;
  readonly place: Place;
  /** The time zone whose calendar days are planned. */
  readonly zone: string;
  /** Minimum and maximum number of recordings per day, without those of the night. Default: 60 to 120. */
  readonly perDay?: readonly [min: number, max: number];
  /** Share of the nights in which an owl calls. Default: 1. */
  readonly owlNights?: number;
}

/** Returns all recordings of a calendar day in order of time, including a few calls of an owl at night. */
export function planDay(date: string, options: PlanOptions): PlannedRecording[] {
  const { list, zone, place, perDay = [60, 120], owlNights = 1 } = options;
  const random = seededRandom(`${options.seed} ${date}`);
  const sun = sunOf(date, place);
  const season = seasonOf(date, place);
  const day = dayWindow(zone, date);
  const taken: PlannedRecording[] = [];
  const takeIfFree = (visit: readonly VisitRecording[], at: number) => {
    const recordings = visitAt(visit, at, zone);
    const fits = recordings.every((recording) => isWithin(recording, day) && isFree(recording, taken));
    if (fits) taken.push(...recordings);
  };
  const calls = chance(random, owlNights) ? nightCalls(random, sun, day) : [];
  calls.forEach((at, index) => {
    takeIfFree([planOwl(random, list, season, index === 1)], at);
  });
  const wanted = taken.length + integerBetween(random, ...perDay);
  if (chance(random, 0.6)) {
    const at = sun.riseAt + (sun.setAt - sun.riseAt) * between(random, 0.25, 0.75);
    takeIfFree([planSquirrel(random, list, { season, light: 'day' })], at);
  }
  for (let tries = 0; taken.length < wanted && tries < maxTries; tries += 1) {
    const at = visitTime(random, sun);
    if (at !== undefined) takeIfFree(planVisit(random, list, { season, light: lightAt(at, sun) }), at);
  }
  return taken.sort((one, other) => one.startAt - other.startAt);
}

/** Returns the last `count` days of a zone up to and including that of `now`, newest first. */
export function lastDays(zone: string, now: number, count: number): string[] {
  const today = localDay(zone, now);
  return Array.from({ length: count }, (_, index) => daysBefore(today, index));
}

/** Returns the recordings of a visit that starts at an instant, in ms since the epoch. */
export function visitAt(visit: readonly VisitRecording[], at: number, zone: string): PlannedRecording[] {
  return visit.map((recording) => recordingAt(recording, at + recording.offsetSeconds * 1000, zone));
}

/** Returns the season of a date, which is opposite in the southern hemisphere. */
export function seasonOf(date: string, { latitude }: Place): Season {
  const month = (Number(date.slice(5, 7)) + (latitude < 0 ? 6 : 0)) % 12;
  if (month === 11 || month < 2) return month === 11 ? 'autumn' : 'winter';
  if (month < 3) return 'winter';
  if (month < 6) return 'spring';
  return month < 9 ? 'summer' : 'autumn';
}

/** Returns the light at an instant, in ms since the epoch. */
export function lightAt(at: number, sun: Sun): Light {
  if (at < sun.riseAt - twilightMs || at > sun.setAt + twilightMs) return 'night';
  if (at < sun.riseAt + twilightMs) return 'dawn';
  return at > sun.setAt - twilightMs ? 'dusk' : 'day';
}

/** Returns the times of calls: shortly after midnight, so that each day starts with a recording, and every few hours. */
function nightCalls(random: Random, sun: Sun, day: TimeWindow): number[] {
  const dark = birdHours(sun);
  const calls = [day.start + between(random, 5_000, 30_000)];
  for (let at = calls[0] ?? day.start; at < day.end; at += between(random, 120, 300) * minuteMs) {
    const isDark = at < dark.from - 30 * minuteMs || at > dark.to + 30 * minuteMs;
    if (isDark && at > day.start + minuteMs && at < day.end - minuteMs) calls.push(at);
  }
  return calls;
}

/** Draws an instant of the day; undefined when it is rejected because of the daily rhythm. */
function visitTime(random: Random, sun: Sun): number | undefined {
  const { from, to } = birdHours(sun);
  const at = between(random, from, to);
  return chance(random, activityAt(at, sun)) ? at : undefined;
}

function isWithin(recording: PlannedRecording, day: TimeWindow): boolean {
  return recording.startAt >= day.start && recording.endAt <= day.end;
}

/** A camera makes one recording at a time, and two recordings must not share a folder when the clocks are set back. */
function isFree(recording: PlannedRecording, taken: readonly PlannedRecording[]): boolean {
  return taken.every(
    (other) =>
      other.camera !== recording.camera ||
      (other.videoPath !== recording.videoPath &&
        (other.endAt < recording.startAt || recording.endAt < other.startAt)),
  );
}
