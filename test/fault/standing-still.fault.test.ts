import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { freeze } from './fixtures/freeze.js';
import { faultMs, isLong } from './fixtures/size.js';
import { untilAnswered, useTrial, withoutPictures } from './fixtures/trial.js';

/** Shorter than the fault, longer than a busy machine takes for a post. */
const env = { ...withoutPictures, UPSTREAM_TIMEOUT_SECONDS: isLong ? '20' : '5' };

describe.skipIf(process.platform !== 'linux')('a process that stands still (on Linux)', () => {
  const trial = useTrial((folder) => startHubIn(folder, env));

  /** Stops a process for a while, and until a post was answered with that status if one has to be. */
  async function holdUp(name: string, felt?: number): Promise<void> {
    let thaw = () => {};
    const { statuses } = await trial.during({
      name: `${name} stands still`,
      async strike(posting) {
        thaw = freeze(trial.hub().processOf(name).process?.pid ?? 0);
        await Promise.all([pause(faultMs), felt !== undefined && untilAnswered(posting, felt)]);
      },
      mend: () => thaw(),
    });
    expect([200, 201, 503, 504, 0]).toEqual(expect.arrayContaining([...statuses.keys()]));
  }

  it.each(['nats', 'query', 'system', 'gateway'])('%s, costs no recording', (name) => holdUp(name));

  it.each(['ingest', 'postgres'])('%s, is told as 504 and costs no recording', (name) => holdUp(name, 504));
});
