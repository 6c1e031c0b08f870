import { runAlone } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { FeederDriver } from './drive-feeder.js';
import type { FeederDevice } from './feeder-device.js';
import { feederLock } from './feeder-lock.js';
import { listOpenFeeders, removeOpenFeeder } from './open-feeders.store.js';

/** Sees to it that no feeder stays open. */
export interface FeederGuard {
  /** One may have been left open, or can be reached again. */
  wake(): void;
  close(): Promise<void>;
}

/** What feeders are closed with. */
export interface FeederGuarding {
  readonly pool: pg.Pool;
  readonly driver: Pick<FeederDriver, 'close'>;
  readonly log: Logger;
  /** Pause until a feeder that could not be closed is told again; doubled each time. */
  readonly retryMs?: number;
}

/** Another service of the hub may be killed while its feeder is open. */
const idleMs = 15_000;
const longestRetryMs = 60_000;

/** Closes what is open and in nobody's hands, now and whenever there is such a one; tries until it gets through. */
export function closeLeftOpen({ pool, driver, log, retryMs = 2_000 }: FeederGuarding): FeederGuard {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;
  let failures = 0;

  async function shut(device: FeederDevice): Promise<void> {
    if (!(await driver.close(device))) throw new Error('the feeder does not take the word to close');
    await removeOpenFeeder(pool, device);
    log.info({ device: device.kind }, 'feeder closed that was left open');
  }

  /** Whether none is open any more, or in the hands of somebody who will close it. */
  async function shutAll(): Promise<boolean> {
    if (!(await listOpenFeeders(pool)).length) return true;
    const closed = await runAlone(pool, feederLock, async () =>
      Promise.allSettled((await listOpenFeeders(pool)).map(shut)),
    );
    const failure = closed?.result.find((outcome) => outcome.status === 'rejected');
    if (failure && failures === 0) log.warn({ err: failure.reason }, 'feeder left open, trying on');
    return !failure;
  }

  async function run(): Promise<void> {
    isWoken = false;
    let isDone = false;
    try {
      isDone = await shutAll();
    } catch (error) {
      log.warn({ err: error }, 'not known whether a feeder is open, asking again');
    }
    failures = isDone ? 0 : failures + 1;
    running = undefined;
    const pauseMs = isDone ? idleMs : Math.min(retryMs * 2 ** (failures - 1), longestRetryMs);
    schedule(isWoken ? 0 : pauseMs);
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      running = run();
    }, afterMs);
  }

  schedule(0);
  return {
    wake() {
      isWoken = true;
      if (!running) schedule(0);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
