import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { useExternalServers } from './fixtures/external-servers.js';
import { faultMs } from './fixtures/size.js';
import type { TcpProxy } from './fixtures/tcp-proxy.js';
import { useTrial, waitForStatus, withoutPictures } from './fixtures/trial.js';

const startServers = useExternalServers();
let databaseProxy: TcpProxy;
let brokerProxy: TcpProxy;

const trial = useTrial(async (folder) => {
  const { databaseUrl, natsUrl, ...proxies } = await startServers();
  ({ databaseProxy, brokerProxy } = proxies);
  const env = { ...withoutPictures, DATABASE_URL: databaseProxy.url, NATS_URL: brokerProxy.url };
  return { ...(await startHubIn(folder, env)), databaseUrl, natsUrl };
});

describe('the line to the broker', () => {
  it('when cut, affects no post and delays the events', async () => {
    await trial.during({
      name: 'broker away',
      retries: 0,
      async inject() {
        brokerProxy.disconnect();
        await pause(3 * faultMs);
      },
      restore: () => brokerProxy.restore(),
    });
  });

  it('when silent, affects no post and delays the events', async () => {
    await trial.during({
      name: 'broker silent',
      retries: 0,
      async inject() {
        brokerProxy.stall();
        await pause(faultMs);
      },
      restore: () => brokerProxy.restore(),
    });
  });
});

describe('the line to PostgreSQL', () => {
  it('when cut, gives 503 until it is restored', async () => {
    const posting = await trial.during({
      name: 'PostgreSQL away',
      async inject(one) {
        databaseProxy.disconnect();
        await waitForStatus(one, 503);
        await pause(faultMs);
      },
      restore: () => databaseProxy.restore(),
    });
    expect([200, 201, 503]).toEqual(expect.arrayContaining([...posting.statuses.keys()]));
  });

  it('when silent, costs retries and no recording', async () => {
    const posting = await trial.during({
      name: 'PostgreSQL silent',
      async inject() {
        databaseProxy.stall();
        await pause(faultMs);
      },
      restore: () => databaseProxy.restore(),
    });
    expect([200, 201, 503, 504]).toEqual(expect.arrayContaining([...posting.statuses.keys()]));
  });
});
