import { createLoop } from '@birdhub/shared/async';
import { lockNames, type PrismaClient, withAdvisoryLock } from '@birdhub/shared/db';
import type pg from 'pg';
import type { Logger } from 'pino';
import { listOpenFeeders, removeOpenFeeder } from './feeder.store.js';
import type { FeederDevice, FeederDriver } from './feeder-driver.js';

/** Closes feeders that were left open. */
export interface FeederGuard {
  /** Checks now: a feeder may have been left open, or can be reached again. */
  wake(): void;
  close(): Promise<void>;
}

/** What the guard needs. */
export interface FeederGuardDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly driver: Pick<FeederDriver, 'close'>;
  readonly log: Logger;
  /** Delay before the next attempt to close a feeder; doubled each time. */
  readonly retryMs?: number;
}

/** Another process of the hub may be killed while its feeder is open. */
const pollIntervalMs = 15_000;
const maxRetryMs = 60_000;

/** Starts to close feeders that are open and not in use, and retries until they are closed. */
export function startFeederGuard({
  pool,
  prisma,
  driver,
  log,
  retryMs = 2_000,
}: FeederGuardDeps): FeederGuard {
  async function closeFeeder(device: FeederDevice): Promise<void> {
    if (!(await driver.close(device))) throw new Error('the feeder refuses to close');
    await removeOpenFeeder(prisma, device);
    log.info({ device: device.kind }, 'open feeder closed');
  }

  /** The lock is held by whoever uses a feeder and will close it. */
  async function closeAll(): Promise<void> {
    if (!(await listOpenFeeders(pool)).length) return;
    const closed = await withAdvisoryLock(pool, lockNames.feeder, async () =>
      Promise.allSettled((await listOpenFeeders(pool)).map(closeFeeder)),
    );
    const failure = closed?.result.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  const loop = createLoop({
    work: closeAll,
    everyMs: pollIntervalMs,
    retryMs,
    maxRetryMs,
    onError(error, failures) {
      if (failures === 1) log.warn({ err: error }, 'a feeder may be open, retrying');
    },
  });
  loop.start();
  return { wake: () => loop.wake(), close: () => loop.stop() };
}
