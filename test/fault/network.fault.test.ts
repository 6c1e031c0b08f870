import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import type { Line } from './fixtures/line.js';
import { useOwnServers } from './fixtures/own-servers.js';
import { faultMs } from './fixtures/size.js';
import { untilAnswered, useTrial, withoutPictures } from './fixtures/trial.js';

const startServers = useOwnServers();
let toDatabase: Line;
let toBroker: Line;

const trial = useTrial(async (folder) => {
  const { databaseUrl, natsUrl, ...lines } = await startServers();
  ({ toDatabase, toBroker } = lines);
  const env = { ...withoutPictures, DATABASE_URL: toDatabase.url, NATS_URL: toBroker.url };
  return { ...(await startHubIn(folder, env)), databaseUrl, natsUrl };
});

describe('the line to the broker', () => {
  it('when cut, affects no post and delays the events', async () => {
    await trial.during({
      name: 'broker away',
      retries: 0,
      async strike() {
        toBroker.cut();
        await pause(3 * faultMs);
      },
      mend: () => toBroker.mend(),
    });
  });

  it('when silent, affects no post and delays the events', async () => {
    await trial.during({
      name: 'broker silent',
      retries: 0,
      async strike() {
        toBroker.hold();
        await pause(faultMs);
      },
      mend: () => toBroker.mend(),
    });
  });
});

describe('the line to PostgreSQL', () => {
  it('when cut, gives 503 until it is restored', async () => {
    const posting = await trial.during({
      name: 'PostgreSQL away',
      async strike(one) {
        toDatabase.cut();
        await untilAnswered(one, 503);
        await pause(faultMs);
      },
      mend: () => toDatabase.mend(),
    });
    expect([200, 201, 503]).toEqual(expect.arrayContaining([...posting.statuses.keys()]));
  });

  it('when silent, costs retries and no recording', async () => {
    const posting = await trial.during({
      name: 'PostgreSQL silent',
      async strike() {
        toDatabase.hold();
        await pause(faultMs);
      },
      mend: () => toDatabase.mend(),
    });
    expect([200, 201, 503, 504]).toEqual(expect.arrayContaining([...posting.statuses.keys()]));
  });
});
