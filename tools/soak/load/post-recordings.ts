import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toBody } from '../../bench/run/recording-body.js';
import { ask, type LoadedHub } from './ask.js';
import { placeFilm } from './films.js';
import { dueOf, type PlannedPost, type PostTimes, planPost } from './plan-post.js';

/** A recording that the hub has accepted. */
export interface PostedRecording {
  readonly id: number;
  readonly detections: number;
  readonly hasFilm: boolean;
  /** In `performance` time. */
  readonly answeredAt: number;
}

/** Options of {@link postRecordings}. */
export interface Posting extends LoadedHub {
  readonly recordingsDir: string;
  readonly rate: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly onPosted: (posted: PostedRecording) => void;
}

export const postName = 'POST /api/processor/videos';
const headers = { 'content-type': 'application/json' };

async function post(posting: Posting, plan: PlannedPost, sentAt: number): Promise<void> {
  const { recording, isRepeat, hasFilm } = plan;
  const body = toBody(recording);
  const response = await ask(posting, postName, '/api/processor/videos', {
    method: 'POST',
    headers,
    body,
    sentAt,
  });
  if (!response) return;
  const { video_id: id, created, detections } = JSON.parse(response.text);
  if (created === isRepeat) posting.tally.fail(postName, `${recording.video_path} has created: ${created}`);
  if (created) posting.onPosted({ id, detections, hasFilm, answeredAt: performance.now() });
}

/**
 * Posts recordings at a constant rate without waiting for responses (open loop), so that a slow hub is not spared.
 * Latencies are measured from the due time of a post. Resolves when all responses have arrived.
 */
export async function postRecordings(posting: Posting): Promise<void> {
  const { recordingsDir, rate, seconds, signal } = posting;
  const times: PostTimes = { begin: Date.now(), rate };
  const offset = performance.now() - times.begin;
  const inFlight = new Set<Promise<void>>();
  for (let number = 0; number < rate * seconds && !signal.aborted; number += 1) {
    const plan = planPost(number, times);
    if (plan.hasFilm) await placeFilm(number, join(recordingsDir, plan.recording.video_path));
    const sentAt = dueOf(number, times) + offset;
    const early = sentAt - performance.now();
    if (early > 0) await pause(early);
    const one = post(posting, plan, sentAt).finally(() => inFlight.delete(one));
    inFlight.add(one);
  }
  await Promise.all(inFlight);
}
