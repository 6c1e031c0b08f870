import { createLoop } from '@birdhub/shared/async';
import { lockNames, type PrismaClient, withAdvisoryLock } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { FeederDriver } from './drive-feeder.js';
import type { FeederDevice } from './feeder-device.js';
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
  readonly prisma: PrismaClient;
  readonly driver: Pick<FeederDriver, 'close'>;
  readonly log: Logger;
  /** Pause until a feeder that could not be closed is told again; doubled each time. */
  readonly retryMs?: number;
}

/** Another service of the hub may be killed while its feeder is open. */
const idleMs = 15_000;
const maxRetryMs = 60_000;

/** Closes what is open and in nobody's hands, now and whenever there is such a one; tries until it gets through. */
export function closeLeftOpen({ pool, prisma, driver, log, retryMs = 2_000 }: FeederGuarding): FeederGuard {
  async function shut(device: FeederDevice): Promise<void> {
    if (!(await driver.close(device))) throw new Error('the feeder does not take the word to close');
    await removeOpenFeeder(prisma, device);
    log.info({ device: device.kind }, 'feeder closed that was left open');
  }

  /** Closes all that are open, unless they are in the hands of somebody who will close them. */
  async function shutAll(): Promise<void> {
    if (!(await listOpenFeeders(pool)).length) return;
    const closed = await withAdvisoryLock(pool, lockNames.feeder, async () =>
      Promise.allSettled((await listOpenFeeders(pool)).map(shut)),
    );
    const failure = closed?.result.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  const loop = createLoop({
    work: shutAll,
    everyMs: idleMs,
    retryMs,
    maxRetryMs,
    onError(error, failures) {
      if (failures === 1) log.warn({ err: error }, 'a feeder may be open, trying on');
    },
  });
  loop.start();
  return { wake: () => loop.wake(), close: () => loop.stop() };
}
