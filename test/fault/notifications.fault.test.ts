import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import type { TestHub } from '@birdhub/testing/hub';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { beforeAll, expect, it, vi } from 'vitest';
import { createTestBrowser } from '../../services/system/src/testing/test-browser.js';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { type NotificationReceiver, startNotificationReceiver } from './fixtures/notification-receiver.js';
import { requireJson } from './fixtures/send-json.js';

interface Delivery {
  readonly visit: number;
  readonly channel: string;
  readonly state: string;
}

const folder = useDataFolder({ killsProcesses: true });
const soon = { interval: 50 };
/** Messages received before the system service is killed: the first one only, and many. */
const killsAfter = [1, 40];
/** Maximum of messages that a process has in progress: eight for each of two channels. */
const maxInProgress = 16;
let hub: TestHub;
let database: Database;
let receiver: NotificationReceiver;
let browser: ReturnType<typeof createTestBrowser>;

beforeAll(async () => {
  receiver = await startNotificationReceiver();
  hub = await startHubIn(folder, { PUSH_ALLOW_PRIVATE: '1' });
  const log = createLog('fault', 'silent');
  database = openDatabase({ url: hub.databaseUrl, max: 2, name: 'fault', log });
  browser = createTestBrowser(`${receiver.url}/browser`);
  const { endpoint, ...keys } = browser.subscription;
  await requireJson(hub, 'PATCH', 'settings', {
    general: { enable_notifications: true },
    notifications: { cooldown_seconds: 0 },
    webhook: { url: `${receiver.url}/webhook` },
  });
  await requireJson(hub, 'POST', 'push/subscribe', { subscription: { endpoint, keys } });
  return async () => {
    await database.close();
    await receiver.close();
  };
});

/** A name in no list, such as `Quxbirdbj`; a number would be read as that of a model's class. */
const inventedName = (index: number) =>
  `Quxbird${[...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;

/** Posts visits of a new species each until it is stopped; returns the ids of the visits. */
function postVisits(): () => Promise<number[]> {
  const client = createProcessorClient({ baseUrl: hub.baseUrl });
  const visits: number[] = [];
  let isStopping = false;
  async function postOn(): Promise<void> {
    for (let index = 0; !isStopping; index += 1) {
      const now = Date.now();
      const seen = { confidence: 0.9, start_time: 0, end_time: 2, source: 'video' } as const;
      const response = await client.postRecording({
        processor_version: 'fault',
        start_time: new Date(now - 5_000).toISOString(),
        end_time: new Date(now).toISOString(),
        video_path: `${index}/video.mp4`,
        species: [{ ...seen, species_name: inventedName(index) }],
      });
      visits.push(...response.visits);
      await pause(25);
    }
  }
  const posting = postOn();
  return async () => {
    isStopping = true;
    await posting;
    return visits;
  };
}

async function listDeliveries(): Promise<Delivery[]> {
  const { rows } = await database.pool.query<Delivery>(
    `SELECT visit_id AS visit, channel, state FROM notification JOIN push_delivery ON notification_id = notification.id`,
  );
  return rows;
}

/** What arrived, named as in the log of deliveries. */
function listSeen(): string[] {
  return receiver.requests.map((request) => {
    if (request.path === '/webhook') return `${JSON.parse(request.body.toString()).visit_id} webhook`;
    return `${browser.read(request)['visit_id']} web_push`;
  });
}

it('visits, while the service that notifies is killed repeatedly, are notified once each', async () => {
  const stopPosting = postVisits();
  for (const more of killsAfter) {
    const wanted = receiver.requests.length + more;
    await vi.waitUntil(() => receiver.requests.length >= wanted, { ...soon, interval: 1 });
    const killed = hub.kill('system');
    await hub.waitUntilRestarted('system', killed);
  }
  const visits = await stopPosting();
  const wanted = visits.flatMap((visit) => [`${visit} web_push`, `${visit} webhook`]).sort();
  const toName = ({ visit, channel }: Delivery) => `${visit} ${channel}`;
  const maxCut = killsAfter.length * maxInProgress;
  const deliveries = await vi.waitUntil(
    async () => {
      const all = await listDeliveries();
      const open = all.filter(({ state }) => state !== 'sent');
      const isDone = all.length >= wanted.length && open.length <= maxCut;
      return isDone && open.every(({ state }) => state !== 'pending') ? all : undefined;
    },
    // Attempts that were cut off are repeated later.
    { ...soon, timeout: 120_000 },
  );
  expect(deliveries.map(toName).sort()).toEqual(wanted);
  const seen = listSeen();
  expect(seen.filter((name, at) => seen.indexOf(name) !== at)).toEqual([]);
  const sent = deliveries.filter(({ state }) => state === 'sent').map(toName);
  expect(seen).toEqual(expect.arrayContaining(sent));
  expect(wanted).toEqual(expect.arrayContaining(seen));
});
