import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog } from '../../deploy/local/src/log.js';
import { startNats } from '../../deploy/local/src/nats-server.js';
import { startPostgres } from '../../deploy/local/src/postgres-server.js';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { type Line, layLine } from './fixtures/line.js';
import { faultMs } from './fixtures/size.js';
import { untilAnswered, useTrial, withoutPictures } from './fixtures/trial.js';

// Registered first, so that the servers are stopped after the hub.
const servers = useDataFolder({ isKilling: true });
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

let toDatabase: Line;
let toBroker: Line;

const trial = useTrial(async (folder) => {
  const log = createLog('test', () => undefined);
  const postgres = await startPostgres({ dataDir: join(servers.path, 'postgres'), log });
  stops.push(() => postgres.stop());
  const nats = await startNats({ storeDir: join(servers.path, 'nats'), log });
  stops.push(() => nats.stop());
  toDatabase = await layLine(postgres.url);
  toBroker = await layLine(nats.url);
  stops.push(toDatabase.close, toBroker.close);
  const lines = { DATABASE_URL: toDatabase.url, NATS_URL: toBroker.url };
  const hub = await startHubIn(folder, { ...withoutPictures, ...lines });
  return { ...hub, databaseUrl: postgres.url, natsUrl: nats.url };
});

describe('the line to the broker', () => {
  it('cut, is felt by nobody who posts and the news come later', async () => {
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

  it('silent, is felt by nobody who posts and the news come later', async () => {
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
  it('cut, is told as 503 until it is whole', async () => {
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

  it('silent, costs retries and no recording', async () => {
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
