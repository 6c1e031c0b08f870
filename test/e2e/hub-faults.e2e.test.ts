import { type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { readExpectedState, readStoredState } from '@birdhub/shared/testing';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestHub } from '../support/hub.js';
import { createProcessorClient } from '../support/processor-client/processor-client.js';
import type { RecordingBody } from '../support/processor-client/processor-wire.js';
import { type EventLog, openEventLog } from './fixtures/event-log.js';
import { compareItems, expectTimeline } from './fixtures/expected-timeline.js';
import {
  type ErrorAnswer,
  readJson,
  readPages,
  type SpeciesAnswer,
  type TimelineItem,
} from './fixtures/hub-answers.js';
import { postSteadily, type SteadyPosting } from './fixtures/steady-posting.js';
import { startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder({ isKilling: true });
const timeout = 30_000;
/** What the processors of the field do. */
const usualRetries = 3;
let hub: TestHub;
let database: Database;
let log: EventLog;
let posting: SteadyPosting;
/** Status of every answer to a processor, retried ones included; 0 for none. */
let statuses: number[] = [];

/** Everything that the hub has acknowledged, whatever was killed meanwhile. */
const acknowledged = new Map<number, RecordingBody>();

beforeAll(async () => {
  hub = await startHubIn(folder);
  database = openDatabase({
    ...{ url: hub.databaseUrl, max: 2, name: 'e2e' },
    log: createLog('e2e', 'silent'),
  });
  log = await openEventLog(hub.natsUrl);
  return async () => {
    await log.close();
    await database.close();
  };
});

afterEach(() => posting.stop());

const notedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init);
    statuses.push(answer.status);
    return answer;
  } catch (error) {
    statuses.push(0);
    throw error;
  }
};

/** Starts to post recordings of a day of their own and waits until the hub has some of them. */
async function startPosting(name: string, date: string, retries: number): Promise<void> {
  statuses = [];
  const client = createProcessorClient({ baseUrl: hub.baseUrl, retries, fetch: notedFetch });
  posting = postSteadily(client, name, Date.parse(`${date}T00:00:00Z`));
  await untilMore(10);
}

/** Waits until so many more posts are acknowledged. */
async function untilMore(count: number): Promise<void> {
  const wanted = posting.answers.length + count;
  await vi.waitUntil(() => posting.answers.length >= wanted, { timeout, interval: 10 });
}

async function endPosting(): Promise<void> {
  await posting.stop();
  for (const [id, body] of posting.acknowledged) acknowledged.set(id, body);
}

/** Waits until every acknowledged recording is on the stream. */
async function untilTold(): Promise<void> {
  const told = () => new Set(log.of('hub.v1.recording.upserted').map(({ video_id }) => video_id));
  await vi.waitUntil(() => [...acknowledged.keys()].every((id) => told().has(id)), { timeout });
}

describe('kill -9 while recordings are posted', () => {
  it('of the broker, leaves every post answered without an error and the news come later', async () => {
    await startPosting('broker', '2025-08-01', 0);
    const killed = hub.kill('nats');
    await untilMore(20);
    await hub.whenBack('nats', killed);
    await untilMore(10);
    await endPosting();
    expect(posting.failures).toEqual([]);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    await untilTold();
  });

  it('of ingest, costs retries and no recording', async () => {
    await startPosting('ingest', '2025-08-02', usualRetries);
    const killed = hub.kill('ingest');
    await vi.waitUntil(() => statuses.includes(502), { timeout, interval: 5 });
    await hub.whenBack('ingest', killed);
    await untilMore(20);
    await endPosting();
    expect(posting.failures).toEqual([]);
    expect(statuses.every((status) => [200, 201, 502].includes(status))).toBe(true);
  });

  it('of query, makes only its routes answer 502 until it is back', async () => {
    await startPosting('query', '2025-08-03', 0);
    const killed = hub.kill('query');
    const ask = () => fetch(`${hub.baseUrl}/api/ui/cameras`);
    const refused = await vi.waitUntil(
      async () => {
        const answer = await ask();
        return answer.status === 502 ? answer : undefined;
      },
      { timeout, interval: 5 },
    );
    expect(((await refused.json()) as ErrorAnswer).code).toBe('upstream_unavailable');
    expect(await readJson(`${hub.baseUrl}/api/ui/health`)).toEqual({ status: 'ok' });
    await hub.whenBack('query', killed);
    expect((await ask()).status).toBe(200);
    await endPosting();
    expect(posting.failures).toEqual([]);
  });

  it('of the gateway, costs retries and no recording', async () => {
    // Nobody is there to say when to come back.
    await startPosting('gateway', '2025-08-04', 2 * usualRetries);
    const killed = hub.kill('gateway');
    await vi.waitUntil(() => statuses.includes(0), { timeout, interval: 5 });
    await hub.whenBack('gateway', killed);
    await untilMore(20);
    await endPosting();
    expect(posting.failures).toEqual([]);
  });

  it('of PostgreSQL, is told as 503 and posting goes on when it is back', async () => {
    await startPosting('postgres', '2025-08-05', usualRetries);
    const killed = hub.kill('postgres');
    await vi.waitUntil(() => statuses.includes(503), { timeout, interval: 5 });
    await hub.whenBack('postgres', killed);
    await untilMore(20);
    await endPosting();
    expect(posting.failures).toEqual([]);
    expect(statuses.every((status) => [200, 201, 503].includes(status))).toBe(true);
  });
});

describe('after all that', () => {
  it('each acknowledged recording, is there exactly once and no other', async () => {
    const { rows } = await database.pool.query<{ id: number; path: string; rows: number }>(
      `SELECT id, video_path AS path, (SELECT count(*) FROM detection WHERE video_id = video.id) AS rows
       FROM video ORDER BY id`,
    );
    const expected = [...acknowledged].map(([id, { video_path, species }]) => ({
      ...{ id, path: video_path, rows: species.length },
    }));
    expect(rows).toEqual(expected.sort((a, b) => a.id - b.id));
    expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
  });

  it('visits, rollups and counters, are what the rule says of what is stored', async () => {
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('the timeline through the gateway, is what the rule says of what was posted', async () => {
    const species = await readJson<SpeciesAnswer[]>(`${hub.baseUrl}/api/ui/species`);
    const window = 'start_time=2025-08-01T00:00:00Z&end_time=2025-08-31T00:00:00Z&limit=1000';
    const { items } = await readPages<TimelineItem>(`${hub.baseUrl}/api/ui/timeline?${window}`);
    expect(compareItems(items)).toEqual(expectTimeline([...acknowledged.values()], species));
  });

  it('the stream, has every recording in order to its last content, and the outbox is empty', async () => {
    await untilTold();
    const waiting = 'SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM dead_letter) AS count';
    await vi.waitUntil(async () => (await database.pool.query(waiting)).rows[0]?.count === 0, { timeout });
    const told = log.of('hub.v1.recording.upserted');
    for (const [id, { species }] of acknowledged) {
      const events = told.filter(({ video_id }) => video_id === id);
      expect(events.map(({ created }) => created)).toEqual(events.map((_, place) => place === 0));
      expect(events.at(-1)?.detections).toBe(species.length);
    }
    const started = log.of('hub.v1.visit.started').map(({ visit_id }) => visit_id);
    const { rows } = await database.pool.query<{ id: number }>('SELECT id FROM species_visit');
    expect(started).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    expect(new Set(started).size).toBe(started.length);
  });
});
