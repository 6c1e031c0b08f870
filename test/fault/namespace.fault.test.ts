import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { useExternalServers } from './fixtures/external-servers.js';
import { createNamespace } from './fixtures/namespace.js';
import { faultMs } from './fixtures/size.js';
import { useTrial, withoutPictures } from './fixtures/trial.js';

const namespace = createNamespace();
// Registered first, so that no process is left in it.
afterAll(() => namespace?.remove());

describe.skipIf(!namespace)('a network for the hub only (where the tests may make one)', () => {
  const startServers = useExternalServers();

  const trial = useTrial(async (folder) => {
    const { command = [], address: HOST = '', hostAddress } = namespace ?? {};
    const { databaseUrl, natsUrl, databaseProxy, brokerProxy } = await startServers(hostAddress);
    const env = { ...withoutPictures, HOST, DATABASE_URL: databaseProxy.url, NATS_URL: brokerProxy.url };
    return { ...(await startHubIn(folder, env, command)), databaseUrl, natsUrl };
  });

  it('with its cable pulled for a while, costs retries and no recording', async () => {
    await trial.during({
      name: 'cable between the hub, its servers and its clients pulled',
      async inject() {
        namespace?.setLink('down');
        await pause(faultMs);
      },
      restore: () => namespace?.setLink('up'),
    });
  });

  it('with its services cut off from each other, gives 502 or 504 and loses no recording', async () => {
    const { statuses } = await trial.during({
      name: 'services cut off from each other',
      async inject() {
        namespace?.setLoopback('down');
        await pause(faultMs);
      },
      restore: () => namespace?.setLoopback('up'),
    });
    expect([200, 201, 502, 504, 0]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });
});
