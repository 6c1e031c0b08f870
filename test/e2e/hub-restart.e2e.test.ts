import { isRunning } from '@birdhub/launcher/processes';
import type { TestHub } from '@birdhub/testing/hub';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJson, recordingIdsOf, type TimelineItem } from './fixtures/hub-responses.js';
import { postDay, postedDate } from './fixtures/posted-day.js';
import { postSteadily, steadyRecording } from './fixtures/steady-posting.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder({ killsProcesses: true });
const steadyDate = '2025-09-01';
let hub: TestHub;
/** The day's timeline before the first stop. */
let before: { body: Buffer; etag: string | null };

beforeAll(async () => {
  hub = await startHubIn(folder);
  await postDay(hub.baseUrl);
  before = await readDay();
  expect(JSON.parse(before.body.toString('utf8')).length).toBeGreaterThan(20);
});

async function readDay(): Promise<{ body: Buffer; etag: string | null }> {
  const response = await fetch(`${hub.baseUrl}/api/ui/timeline?date=${postedDate}`);
  expect(response.status).toBe(200);
  return { body: Buffer.from(await response.arrayBuffer()), etag: response.headers.get('etag') };
}

async function stopAndExpectOrder(): Promise<void> {
  const running = hub.processes().flatMap(({ process }) => process ?? []);
  expect(running.filter(isRunning)).toHaveLength(running.length);
  const { code } = await hub.stop();
  expect([code, running.filter(isRunning)]).toEqual([0, []]);
}

describe('a hub that is stopped by SIGTERM', () => {
  it('while recordings are posted, stops in time and keeps exactly the acknowledged ones for one process', async () => {
    const firstAt = Date.parse(`${steadyDate}T00:00:00Z`);
    // Few enough at once that the slowest machine answers them while the hub stops.
    const series = { name: 'stop', firstAt, perSecond: 100, maxInFlight: 8, retries: 0 };
    const posting = postSteadily({ baseUrl: hub.baseUrl, ...series });
    await vi.waitUntil(() => posting.responses() >= 20, { interval: 10 });
    await stopAndExpectOrder();
    await posting.stop();
    expect(posting.failures.length).toBeGreaterThan(0);
    const names = posting.failures.map((failure) => (failure instanceof Error ? failure.name : failure));
    expect(new Set(names)).toEqual(new Set(['ProcessorNetworkError']));
    hub = await startHubIn(folder, inOneProcess);
    const running = hub.processes().map(({ name }) => name);
    expect(running.sort()).toEqual(['nats', 'postgres', 'services']);
    const items = await readJson<TimelineItem[]>(`${hub.baseUrl}/api/ui/timeline?date=${steadyDate}`);
    expect(recordingIdsOf(items)).toEqual(new Set(posting.acknowledged.keys()));
  });

  it('when started again, returns the timeline with the same bytes and tag, and takes posts', async () => {
    expect(await readDay()).toEqual(before);
    const { checks } = await readJson<{ checks: object }>(`${hub.baseUrl}/api/ui/readiness`);
    expect(new Set(Object.values(checks))).toEqual(new Set(['ok']));
    const client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
    const start = Date.parse('2025-09-05T08:00:00Z');
    const { video_id } = await client.postRecording(steadyRecording({ name: 'single', index: 0, start }));
    const items = await readJson<TimelineItem[]>(`${hub.baseUrl}/api/ui/timeline?date=2025-09-05`);
    expect(recordingIdsOf(items)).toEqual(new Set([video_id]));
  });

  it('when its one process is killed, restarts with the same responses and stops in order', async () => {
    const killed = hub.kill('services');
    await hub.waitUntilRestarted('services', killed);
    expect(await readDay()).toEqual(before);
    await stopAndExpectOrder();
  });
});
