import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { freeze } from './fixtures/freeze.js';
import { faultMs, isLong } from './fixtures/size.js';
import { useTrial, waitForStatus, withoutPictures } from './fixtures/trial.js';

/** Shorter than the fault, longer than a post takes on a busy machine. */
const env = { ...withoutPictures, UPSTREAM_TIMEOUT_SECONDS: isLong ? '20' : '5' };

describe.skipIf(process.platform !== 'linux')('a frozen process (on Linux)', () => {
  const trial = useTrial((folder) => startHubIn(folder, env));

  /** Freezes a process for a while, and until a post was answered with that status if one is given. */
  async function freezeProcess(name: string, expectedStatus?: number): Promise<void> {
    let thaw = () => {};
    const { statuses } = await trial.during({
      name: `${name} is frozen`,
      async inject(posting) {
        thaw = freeze(trial.hub().processOf(name).process?.pid ?? 0);
        await Promise.all([
          pause(faultMs),
          expectedStatus !== undefined && waitForStatus(posting, expectedStatus),
        ]);
      },
      restore: () => thaw(),
    });
    expect([200, 201, 503, 504, 0]).toEqual(expect.arrayContaining([...statuses.keys()]));
  }

  it.each(['nats', 'query', 'system', 'gateway'])('%s, loses no recording', (name) => freezeProcess(name));

  it.each(['ingest', 'postgres'])('%s, gives 504 and loses no recording', (name) => freezeProcess(name, 504));
});
