import type { BirdList } from './bird-lists.js';
import { addDays, type LocalTime } from './local-time.js';
import { type PlannedRecording, recordingAt } from './plan-recording.js';
import { planNightCall, planVisit, type VisitRecording } from './plan-visit.js';
import { between, chance, type Random, seededRandom, wholeBetween } from './random.js';
import { activityAt, birdHours } from './rhythm.js';
import { type Place, type Sun, sunOf } from './sun.js';

const MINUTE_MS = 60_000;
/** A day too short for its visits ends the search for room. */
const MOST_TRIES = 2_000;

/** What decides a plan: the same values give the same days. */
export type PlanOptions = { seed: string; list: BirdList; place: Place; time: LocalTime };

/** All recordings of a calendar day in order of time, 60 to 120 of them by day and a few calls by night. */
export function planDay(date: string, options: PlanOptions): PlannedRecording[] {
  const { list, time } = options;
  const random = seededRandom(`${options.seed} ${date}`);
  const sun = sunOf(date, options.place);
  const day = { from: time.startOf(date), to: time.startOf(addDays(date, 1)) };
  const taken: PlannedRecording[] = [];
  const takeIfFree = (visit: readonly VisitRecording[], at: number) => {
    const recordings = visitAt(visit, at, time);
    const fits = recordings.every((recording) => isWithin(recording, day) && isFree(recording, taken));
    if (fits) taken.push(...recordings);
  };
  for (const at of nightCalls(random, sun, day)) takeIfFree([planNightCall(random, list)], at);
  const wanted = taken.length + wholeBetween(random, 60, 120);
  for (let tries = 0; taken.length < wanted && tries < MOST_TRIES; tries += 1) {
    const at = visitTime(random, sun);
    if (at !== undefined) takeIfFree(planVisit(random, list), at);
  }
  return taken.sort((one, other) => one.startAt - other.startAt);
}

/** The recordings of a visit that begins at an instant. */
export function visitAt(visit: readonly VisitRecording[], at: number, time: LocalTime): PlannedRecording[] {
  return visit.map((recording) => recordingAt(recording, at + recording.offsetSeconds * 1000, time));
}

/** Soon after midnight, so that a day has something from its first minute on, then about once in 50 minutes. */
function nightCalls(random: Random, sun: Sun, day: { from: number; to: number }): number[] {
  const dark = birdHours(sun);
  const calls = [day.from + between(random, 5_000, 30_000)];
  for (let at = calls[0] ?? day.from; at < day.to; at += between(random, 30, 70) * MINUTE_MS) {
    const isDark = at < dark.from - 20 * MINUTE_MS || at > dark.to + 20 * MINUTE_MS;
    if (isDark && at > day.from + MINUTE_MS && at < day.to - MINUTE_MS) calls.push(at);
  }
  return calls;
}

/** An instant of the day by the rhythm; undefined when the draw fell on a quiet one. */
function visitTime(random: Random, sun: Sun): number | undefined {
  const { from, to } = birdHours(sun);
  const at = between(random, from, to);
  return chance(random, activityAt(at, sun)) ? at : undefined;
}

function isWithin(recording: PlannedRecording, day: { from: number; to: number }): boolean {
  return recording.startAt >= day.from && recording.endAt <= day.to;
}

/** A camera makes one recording at a time, and a clock set back must not give two of them one folder. */
function isFree(recording: PlannedRecording, taken: readonly PlannedRecording[]): boolean {
  return taken.every(
    (other) =>
      other.camera !== recording.camera ||
      (other.videoPath !== recording.videoPath &&
        (other.endAt < recording.startAt || recording.endAt < other.startAt)),
  );
}
