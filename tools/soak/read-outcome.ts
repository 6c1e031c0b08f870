import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@birdhub/shared/db';
import { readCountedFiles, readExpectedState, readFiles, readStoredState } from '@birdhub/testing';
import type { TestHub } from '@birdhub/testing/hub';
import type { LiveListener } from './load/listen-live.js';
import type { PostedRecording } from './load/post-recordings.js';
import type { Outcome } from './verdict/outcome.js';
import { askBroker } from './watch/ask-broker.js';
import { readOutbox } from './watch/table-figures.js';

/** The work that was done on a hub that is idle again. */
export interface Done {
  readonly hub: TestHub;
  readonly database: Database;
  readonly posted: readonly PostedRecording[];
  readonly deleted: ReadonlySet<number>;
  readonly listeners: readonly LiveListener[];
  readonly failures: readonly string[];
}

const settleTimeoutMs = 120_000;
const everyMs = 500;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

async function readWaiting({ hub, database, listeners }: Done, films: number) {
  const { outbox, deadLetters } = await readOutbox(database.pool);
  const { waiting, lastSequence } = await askBroker(hub.natsUrl);
  const sql = `SELECT (SELECT count(*) FROM video WHERE media = 'ready') AS ready`;
  const ready = (await database.pool.query<{ ready: number }>(sql)).rows[0]?.ready ?? 0;
  const late = listeners.filter(({ events }) => (events.position ?? 0) < lastSequence).length;
  const left = Object.values(waiting).reduce((sum, count) => sum + count, outbox + late);
  const isDone = left === 0 && ready >= films;
  return { isDone, lastSequence, ready, waiting: { ...waiting, outbox, 'dead letters': deadLetters } };
}

/** Waits until all pending work is done, at most two minutes. */
async function settle(done: Done, films: number) {
  const endsAt = performance.now() + settleTimeoutMs;
  for (;;) {
    const now = await readWaiting(done, films);
    if (now.isDone || performance.now() > endsAt) return now;
    await pause(everyMs);
  }
}

async function readStates({ pool }: Database): Promise<Outcome['states']> {
  const [stored, expected] = [await readStoredState(pool), await readExpectedState(pool)];
  const parts = ['visits', 'rollups', 'counters'] as const;
  const files = isSame(await readCountedFiles(pool), await readFiles(pool));
  const sorted = (part: (typeof parts)[number], state: typeof stored) =>
    part === 'counters' ? Object.entries(state.counters).sort() : state[part];
  return [
    ...parts.map((what) => ({ what, isAsExpected: isSame(sorted(what, stored), sorted(what, expected)) })),
    { what: 'counted files', isAsExpected: files },
  ];
}

/** Waits until the hub is idle, and compares its state with the work that was done. */
export async function readOutcome(done: Done): Promise<Outcome> {
  const { hub, database, posted, deleted, listeners, failures } = done;
  const kept = posted.filter(({ id }) => !deleted.has(id));
  const films = kept.filter(({ hasFilm }) => hasFilm).length;
  const { lastSequence, ready, waiting } = await settle(done, films);
  const videos = await database.pool.query<{ id: number }>('SELECT id FROM video');
  const visits = await database.pool.query<{ id: number }>('SELECT id FROM species_visit');
  const ids = new Set(videos.rows.map(({ id }) => id));
  const missing = kept.filter(({ id }) => !ids.has(id)).map(({ id }) => `recording ${id} is not in store`);
  return {
    failures: [...failures, ...missing],
    logged: hub
      .output()
      .split('\n')
      .filter((line) => /"level":"(?:error|fatal)"/.test(line)),
    listeners: listeners.map(({ events: { position, count, breaks, startedVisits } }) => ({
      ...{ position, count, breaks },
      missedVisits: visits.rows.filter(({ id }) => !startedVisits.has(id)).length,
    })),
    lastSequence,
    visits: visits.rows.length,
    recordings: { expected: kept.length, stored: videos.rows.length },
    films: { expected: films, ready },
    waiting,
    states: await readStates(database),
  };
}
