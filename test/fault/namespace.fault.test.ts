import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { makeNamespace } from './fixtures/namespace.js';
import { useOwnServers } from './fixtures/own-servers.js';
import { faultMs } from './fixtures/size.js';
import { useTrial, withoutPictures } from './fixtures/trial.js';

const namespace = makeNamespace();
// Registered first, so that no process is left in it.
afterAll(() => namespace?.remove());

describe.skipIf(!namespace)('a network for the hub only (where the tests may make one)', () => {
  const startServers = useOwnServers();

  const trial = useTrial(async (folder) => {
    const { command = [], inside: HOST = '', outside } = namespace ?? {};
    const { databaseUrl, natsUrl, toDatabase, toBroker } = await startServers(outside);
    const env = { ...withoutPictures, HOST, DATABASE_URL: toDatabase.url, NATS_URL: toBroker.url };
    return { ...(await startHubIn(folder, env, command)), databaseUrl, natsUrl };
  });

  it('with its cable pulled for a while, costs retries and no recording', async () => {
    await trial.during({
      name: 'cable between the hub, its servers and its clients pulled',
      async strike() {
        namespace?.setCable('down');
        await pause(faultMs);
      },
      mend: () => namespace?.setCable('up'),
    });
  });

  it('with its services cut off from each other, gives 502 or 504 and loses no recording', async () => {
    const { statuses } = await trial.during({
      name: 'services cut off from each other',
      async strike() {
        namespace?.setLoopback('down');
        await pause(faultMs);
      },
      mend: () => namespace?.setLoopback('up'),
    });
    expect([200, 201, 502, 504, 0]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });
});
