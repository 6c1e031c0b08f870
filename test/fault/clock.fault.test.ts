import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJson } from '../e2e/fixtures/hub-responses.js';
import { startHubIn } from '../e2e/fixtures/temporary-hub.js';
import { faultMs } from './fixtures/size.js';
import { useTrial, withoutPictures } from './fixtures/trial.js';

const hourMs = 3_600_000;
const soon = { interval: 100 };
const program = new URL('./fixtures/shifted-clock.mjs', import.meta.url);
let setClock: (shiftMs: number) => void;

const trial = useTrial((folder) => {
  const file = join(folder.path, 'clock-shift');
  setClock = (shiftMs) => writeFileSync(file, String(shiftMs));
  setClock(0);
  const clock = { CLOCK_SHIFT_FILE: file, NODE_OPTIONS: `--import=${program.href}` };
  return startHubIn(folder, { ...withoutPictures, ...clock });
});

/** Posts a heartbeat and waits until the hub reports this state of the processor. */
async function untilProcessorIs(state: 'ok' | 'error'): Promise<void> {
  const { baseUrl } = trial.hub();
  await createProcessorClient({ baseUrl }).postActivity({ type: 'heartbeat', data: {} });
  const ask = () => readJson<{ processor: string }>(`${baseUrl}/api/ui/status`);
  await vi.waitFor(async () => expect((await ask()).processor).toBe(state), soon);
}

describe('the clock of all services', () => {
  beforeAll(() => untilProcessorIs('ok'));

  it.each([
    // The database has its own clock, by which the heartbeat is old.
    { name: 'an hour ahead', shiftMs: hourMs, processor: 'error' },
    { name: 'an hour back', shiftMs: -hourMs, processor: 'ok' },
    { name: 'a day ahead', shiftMs: 24 * hourMs, processor: 'error' },
    { name: 'a day back', shiftMs: -24 * hourMs, processor: 'ok' },
  ] as const)('set $name and back again, affects no post', async (jump) => {
    const { statuses } = await trial.during({
      name: `clock jumps ${jump.name}`,
      async inject() {
        setClock(jump.shiftMs);
        await untilProcessorIs(jump.processor);
        await pause(faultMs);
      },
      restore: () => setClock(0),
    });
    expect([200, 201]).toEqual(expect.arrayContaining([...statuses.keys()]));
    await untilProcessorIs('ok');
  });
});
