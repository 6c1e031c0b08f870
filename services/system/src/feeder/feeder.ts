import { setTimeout as pause } from 'node:timers/promises';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { createLoop, pauseUnlessAborted } from '@birdhub/shared/async';
import { lockNames, type PrismaClient, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MqttConnection } from '../mqtt/mqtt-connection.js';
import {
  addOpenFeeder,
  type DispenseAuthor,
  type DispenseRequest,
  findLastPortion,
  listOpenFeeders,
  logAttempt,
  logDispense,
  logFailure,
  removeOpenFeeder,
  removeUnopenedFeeder,
} from './feeder.store.js';
import {
  createFeederDriver,
  type FeederDevice,
  type FeederDriver,
  findFeeder,
  mayHaveOpened,
  staysOpen,
  withLogin,
  withoutLogin,
} from './feeder-driver.js';

/** Dependencies of a feeder. */
export interface FeederDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly mqtt: Pick<MqttConnection, 'state' | 'publish' | 'onConnect'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Portion extends DispenseRequest {
  readonly device: FeederDevice;
  readonly feed: Settings['feed'];
}

const connectTimeoutMs = 2_000;
const connectPollIntervalMs = 50;

/** For longer portions, the response is sent when the feeder is open. */
const maxWaitMs = 10_000;

/**
 * Dispenses portions of food, one at a time across the hub. A feeder that may be open is recorded in the database until
 * it is closed.
 */
export class Feeder {
  readonly #deps: FeederDeps;
  readonly #driver: FeederDriver;
  readonly #guard: FeederGuard;
  readonly #stopping = new AbortController();
  readonly #inProgress = new Set<Promise<unknown>>();

  constructor(deps: FeederDeps) {
    const { mqtt } = deps;
    this.#deps = deps;
    this.#driver = createFeederDriver(mqtt);
    this.#guard = startFeederGuard({ ...deps, driver: this.#driver });
    mqtt.onConnect(() => this.#guard.wake());
  }

  /**
   * Dispenses a portion. Resolves to the time at which the feeder was opened, in ms since the epoch, when it is closed
   * again, or as soon as it is open for long portions.
   * @throws HubError feeder_not_configured, dispense_in_progress, feeder_cooldown, upstream_unavailable,
   * upstream_timeout
   */
  async dispense(author: DispenseAuthor): Promise<number> {
    const portion = await this.#preparePortion(author);
    const isLong = portion.feed.duration_seconds * 1_000 > maxWaitMs;
    return new Promise((resolve, reject) => {
      const dispensing = this.#dispenseWithLock(portion, (at) => isLong && resolve(at))
        .then(resolve, (error) => {
          reject(error);
          this.#guard.wake();
        })
        .finally(() => this.#inProgress.delete(dispensing));
      this.#inProgress.add(dispensing);
    });
  }

  /** Closes the feeder if it is open, and rejects further portions. */
  stop(): void {
    this.#stopping.abort();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.#inProgress);
    await this.#guard.close();
  }

  async #preparePortion(author: DispenseAuthor): Promise<Portion> {
    const { feed, mqtt } = await this.#deps.settings.current();
    const device = findFeeder(feed);
    if (!device || (device.kind === 'mqtt' && !mqtt.broker.trim()))
      throw new HubError('feeder_not_configured');
    const portion = { ...author, source: feed.source, device, feed };
    if (!(await this.#isReachable(device))) {
      const message = 'The MQTT broker is not reachable.';
      return this.#fail(portion, new HubError('upstream_unavailable', { message }));
    }
    if (!this.#stopping.signal.aborted) return portion;
    throw new HubError('upstream_unavailable', { message: 'The hub is stopping.' });
  }

  /** Waits briefly for a broker that was just configured. */
  async #isReachable({ kind }: FeederDevice): Promise<boolean> {
    if (kind !== 'mqtt') return true;
    const { mqtt } = this.#deps;
    for (
      let waitedMs = 0;
      waitedMs < connectTimeoutMs && mqtt.state() !== 'ok';
      waitedMs += connectPollIntervalMs
    )
      await pause(connectPollIntervalMs);
    return mqtt.state() === 'ok';
  }

  async #dispenseWithLock(portion: Portion, onOpen: (at: number) => void): Promise<number> {
    const done = await withAdvisoryLock(this.#deps.pool, lockNames.feeder, () =>
      this.#dispense(portion, onOpen),
    );
    if (!done) throw new HubError('dispense_in_progress');
    return done.result;
  }

  async #dispense(portion: Portion, onOpen: (at: number) => void): Promise<number> {
    await this.#requireCooldown(portion.feed);
    const { prisma, clock } = this.#deps;
    const attemptId = await logAttempt(prisma, portion, clock.now());
    const at = await this.#open(portion, attemptId);
    try {
      await logDispense(prisma, attemptId, portion, at);
      onOpen(at);
      if (staysOpen(portion.device)) await this.#stayOpen(portion.feed);
    } finally {
      if (staysOpen(portion.device)) await this.#closeDevice(portion.device);
    }
    return at;
  }

  async #requireCooldown({ cooldown_seconds }: Settings['feed']): Promise<void> {
    const now = this.#deps.clock.now();
    const cooldownMs = cooldown_seconds * 1_000;
    // Portions in the future are from before the clock was set back; those further ahead are ignored.
    const last = await findLastPortion(this.#deps.prisma, now - cooldownMs, now + cooldownMs);
    if (last === undefined) return;
    const remainingMs = Math.min(last + cooldownMs - now, cooldownMs);
    throw new HubError('feeder_cooldown', { retryAfterSeconds: Math.ceil(remainingMs / 1_000) });
  }

  async #open(portion: Portion, attemptId: number): Promise<number> {
    const { prisma, clock } = this.#deps;
    const { device } = portion;
    const openId = staysOpen(device) ? await addOpenFeeder(prisma, withoutLogin(device)) : undefined;
    const refusal = new HubError('upstream_unavailable', { message: 'The feeder refused.' });
    const failure = await this.#driver.open(device).then(
      (isOpen) => (isOpen ? undefined : refusal),
      (error: HubError) => error,
    );
    if (!failure) return clock.now();
    const mayBeOpen = failure !== refusal && mayHaveOpened(failure);
    if (!mayBeOpen && openId !== undefined) await removeUnopenedFeeder(prisma, openId);
    return this.#fail(portion, failure, { mayBeOpen, attemptId });
  }

  async #stayOpen({ duration_seconds }: Settings['feed']): Promise<void> {
    await pauseUnlessAborted(duration_seconds * 1_000, this.#stopping.signal);
  }

  async #closeDevice(device: FeederDevice): Promise<void> {
    if (await this.#driver.close(device)) return removeOpenFeeder(this.#deps.prisma, withoutLogin(device));
    throw new HubError('upstream_unavailable', {
      message: 'The feeder does not close; the command is repeated.',
    });
  }

  async #fail(
    portion: Portion,
    error: HubError,
    { mayBeOpen = false, attemptId }: { mayBeOpen?: boolean; attemptId?: number } = {},
  ): Promise<never> {
    const failure = { code: error.code, mayHaveOpened: mayBeOpen };
    await logFailure(this.#deps.prisma, portion, failure, this.#deps.clock.now(), attemptId);
    throw error;
  }
}

/** Watches for feeders that were left open and closes them. */
interface FeederGuard {
  /** Checks now, when a feeder may have been left open or is reachable again. */
  wake(): void;
  close(): Promise<void>;
}

/** Dependencies of the guard. */
interface FeederGuardDeps extends Pick<FeederDeps, 'pool' | 'prisma' | 'settings' | 'log'> {
  readonly driver: Pick<FeederDriver, 'close'>;
  /** Initial delay before another attempt to close a feeder; doubled each time. */
  readonly retryMs?: number;
}

/** Polls, as another process may be killed while its feeder is open. */
const pollIntervalMs = 15_000;
const maxRetryMs = 60_000;

/** Starts the guard, which closes feeders that are open and not in use, and retries until they are closed. */
function startFeederGuard(deps: FeederGuardDeps): FeederGuard {
  const { pool, prisma, settings, driver, log, retryMs = 2_000 } = deps;

  async function closeFeeder(device: FeederDevice): Promise<void> {
    const { feed } = await settings.current();
    if (!(await driver.close(withLogin(device, feed))))
      throw new Error('the feeder reported a failure to close');
    await removeOpenFeeder(prisma, device);
    log.info({ device: device.kind }, 'open feeder closed');
  }

  /** A process that is dispensing holds the lock, and closes the feeder itself. */
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
