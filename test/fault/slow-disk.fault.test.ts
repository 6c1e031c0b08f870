import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { childrenOf } from '../e2e/fixtures/linux-processes.js';
import { diskFolderVariable } from '../support/memory-folder.js';
import { faultMs } from './fixtures/size.js';
import { makeSlowDisk } from './fixtures/slow-disk.js';
import { useTrial } from './fixtures/trial.js';

/** As slow as a worn SD card. */
const limit = { writes: 25, bytes: 400_000 };
const diskFolder = process.env[diskFolderVariable] ?? tmpdir();
const disk = makeSlowDisk(diskFolder, limit);
// Registered first, so that no process is left on it.
afterAll(() => disk?.remove());

describe.skipIf(!disk)('a slow disk (where the tests may slow one down)', () => {
  const trial = useTrial(undefined, diskFolder);

  it('under PostgreSQL and the broker, costs time and no recording', async () => {
    const { statuses } = await trial.during({
      name: `slow disk, ${limit.writes} writes/s`,
      async inject() {
        const pids = ['postgres', 'nats'].map((name) => trial.hub().processOf(name).process?.pid ?? 0);
        for (const pid of pids.flatMap((one) => [one, ...childrenOf(one)])) disk?.add(pid);
        await pause(2 * faultMs);
      },
      restore: () => disk?.clear(),
    });
    expect([200, 201, 503, 504]).toEqual(expect.arrayContaining([...statuses.keys()]));
  });
});
