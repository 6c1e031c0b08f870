import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { freeze } from './fixtures/freeze.js';
import { faultMs } from './fixtures/size.js';
import { untilAnswered, useTrial, withoutPictures } from './fixtures/trial.js';

const env = { ...withoutPictures, UPSTREAM_TIMEOUT_SECONDS: '5' };

describe.skipIf(process.platform !== 'linux')('a process that stands still (on Linux)', () => {
  const trial = useTrial((folder) => startHubIn(folder, env));

  /** Stops a process for a while; it is felt when a post is answered with that status. */
  async function holdUp(name: string, felt: number | undefined) {
    let thaw = () => {};
    return trial.during({
      name: `${name} stands still`,
      ...(felt === undefined && { retries: 0 }),
      async strike(posting) {
        thaw = freeze(trial.hub().processOf(name).process?.pid ?? 0);
        await Promise.all([pause(faultMs), felt !== undefined && untilAnswered(posting, felt)]);
      },
      mend: () => thaw(),
    });
  }

  it.each(['nats', 'query', 'system'])('%s, is felt by nobody who posts', async (name) => {
    const { statuses } = await holdUp(name, undefined);
    expect([200, 201]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });

  it.each(['ingest', 'postgres'])('%s, is told as 504 and costs no recording', async (name) => {
    const { statuses } = await holdUp(name, 504);
    expect([200, 201, 503, 504]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });

  it('the gateway, costs no recording', async () => {
    const { statuses } = await holdUp('gateway', undefined);
    expect([200, 201]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });
});
