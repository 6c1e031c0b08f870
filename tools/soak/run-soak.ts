import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import type { TestHub } from '@birdhub/testing/hub';
import { openDashboards } from './load/dashboards.js';
import { prepareFilms } from './load/films.js';
import { type LiveListener, listenLive } from './load/listen-live.js';
import { createPeople } from './load/people.js';
import { type PostedRecording, postRecordings } from './load/post-recordings.js';
import { type Loads, Tally } from './load/tally.js';
import type { SoakOptions } from './options.js';
import { readOutcome } from './read-outcome.js';
import { liveName } from './verdict/judge-loads.js';
import type { Outcome } from './verdict/outcome.js';
import type { Span } from './watch/span.js';
import { watchHub } from './watch/watch-hub.js';

/** Clients that load the hub in addition to the processors. */
export const audience = { dashboards: 5, listeners: 10 } as const;

/** The result of a run. */
export interface SoakResult {
  readonly spans: readonly Span[];
  /** After the warm-up. */
  readonly loads: Loads;
  readonly outcome: Outcome;
}

interface Soak {
  readonly options: SoakOptions;
  readonly hub: TestHub;
  readonly onSpan: (span: Span) => void;
  readonly signal: AbortSignal;
}

const maxSpanSeconds = 60;
const minSpans = 12;
const looksPerSpan = 4;

/** Opens listeners that tally the time from the response of a post to its event; 0 if the event comes first. */
function openListeners(baseUrl: string, answeredAt: ReadonlyMap<number, number>, tally: Tally) {
  const note = (videoId: number) => {
    const since = performance.now() - (answeredAt.get(videoId) ?? Number.POSITIVE_INFINITY);
    tally.note(liveName, Math.max(0, since));
  };
  const open = (_: unknown, index: number) => listenLive(baseUrl, `192.0.2.${101 + index}`, note);
  return Promise.all(Array.from({ length: audience.listeners }, open));
}

/** Collects spans until the end of the run. */
async function watchSpans({ options, hub, onSpan, signal }: Soak, tally: Tally, database: Database) {
  const seconds = options.minutes * 60;
  const spanSeconds = Math.min(maxSpanSeconds, seconds / minSpans);
  const watch = watchHub(hub, database);
  const spans: Span[] = [];
  const startedAt = performance.now();
  const count = Math.round(seconds / spanSeconds);
  for (let look = 1; look <= count * looksPerSpan; look += 1) {
    const dueAt = startedAt + (look * spanSeconds * 1000) / looksPerSpan;
    await pause(Math.max(0, dueAt - performance.now()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    await watch.look();
    if (look % looksPerSpan !== 0) continue;
    const span = {
      endSeconds: (spans.length + 1) * spanSeconds,
      loads: tally.endSpan(),
      failures: tally.failures.length,
      ...(await watch.endSpan()),
    };
    spans.push(span);
    onSpan(span);
    if (spans.length === Math.floor(count / 3)) tally.forgetWarmUp();
  }
  return spans;
}

/** Loads a new hub for the configured time, and compares its state with the work that was done. */
export async function runSoak(soak: Soak): Promise<SoakResult> {
  const { options, hub, signal } = soak;
  await prepareFilms();
  const tally = new Tally();
  const loaded = { baseUrl: hub.baseUrl, tally };
  const posted: PostedRecording[] = [];
  const answeredAt = new Map<number, number>();
  const people = createPeople(loaded, posted);
  const database = openDatabase({
    ...{ url: hub.databaseUrl, max: 1, name: 'soak' },
    log: createLog('soak', 'silent'),
  });
  const ended = new AbortController();
  const whileOn = AbortSignal.any([signal, ended.signal]);
  // Each poll of each dashboard listens to this signal.
  setMaxListeners(0, whileOn);
  let listeners: LiveListener[] = [];
  try {
    listeners = await openListeners(hub.baseUrl, answeredAt, tally);
    const others = [openDashboards(loaded, audience.dashboards, whileOn), people.run(whileOn)];
    const posting = postRecordings({
      ...loaded,
      recordingsDir: hub.recordingsDir,
      rate: options.rate,
      seconds: options.minutes * 60,
      signal,
      onPosted: (one) => {
        posted.push(one);
        answeredAt.set(one.id, one.answeredAt);
      },
    });
    const spans = await watchSpans(soak, tally, database);
    await posting;
    ended.abort();
    await Promise.all(others);
    signal.throwIfAborted();
    const loads = tally.whole();
    const { deleted } = people;
    const outcome = await readOutcome({
      hub,
      database,
      posted,
      deleted,
      listeners,
      failures: tally.failures,
    });
    return { spans, loads, outcome };
  } finally {
    ended.abort();
    for (const listener of listeners) listener.close();
    await database.close();
  }
}
