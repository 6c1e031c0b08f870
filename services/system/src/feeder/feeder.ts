import { setTimeout as pause } from 'node:timers/promises';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { lockNames, type PrismaClient, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { MqttLink } from '../mqtt/mqtt-link.js';
import { closeLeftOpen } from './close-left-open.js';
import { type DispenseRequest, findLastDispense, noteDispense, noteFailure } from './dispenses.store.js';
import { createFeederDriver } from './drive-feeder.js';
import { type FeederDevice, findFeeder, staysOpen } from './feeder-device.js';
import { addOpenFeeder, removeOpenFeeder } from './open-feeders.store.js';

/** Gives birds a portion of food. */
export interface Feeder {
  /**
   * Gives one, and answers when the feeder was opened, in ms since the epoch: after it is closed again, or at once
   * when it stays open for long.
   * @throws HubError feeder_not_configured, dispense_in_progress, feeder_cooldown, upstream_unavailable, upstream_timeout
   */
  dispense(by: string): Promise<number>;
  /** Closes the feeder now if it is open, and gives no more portions. */
  stop(): void;
  close(): Promise<void>;
}

/** What a feeder works with. */
export interface FeederParts {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly mqtt: Pick<MqttLink, 'state' | 'publish' | 'onConnect'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Portion extends DispenseRequest {
  readonly device: FeederDevice;
  readonly feed: Settings['feed'];
}

const brokerAway = 'The MQTT broker is not reachable.';
const connectMs = 2_000;
const connectStepMs = 50;

/** Nobody who asks is kept waiting for longer. */
const longestAnswerMs = 10_000;

/** One portion at a time in the whole hub; a feeder that may be open is in the database until it is closed. */
export function openFeeder({ pool, prisma, settings, mqtt, clock, log }: FeederParts): Feeder {
  const driver = createFeederDriver(mqtt);
  const guard = closeLeftOpen({ pool, prisma, driver, log });
  const stopping = new AbortController();
  const given = new Set<Promise<unknown>>();
  mqtt.onConnect(() => guard.wake());

  async function fail(portion: Portion, error: HubError): Promise<never> {
    await noteFailure(prisma, portion, error.code, clock.now());
    throw error;
  }

  async function refuseTooEarly({ cooldown_seconds }: Settings['feed']): Promise<void> {
    const last = await findLastDispense(prisma);
    if (last === undefined) return;
    const remainingMs = last + cooldown_seconds * 1_000 - clock.now();
    if (remainingMs > 0)
      throw new HubError('feeder_cooldown', { retryAfterSeconds: Math.ceil(remainingMs / 1_000) });
  }

  async function open(portion: Portion): Promise<number> {
    const { device } = portion;
    if (staysOpen(device)) await addOpenFeeder(prisma, device);
    const isOpen = await driver.open(device).catch((error: HubError) => fail(portion, error));
    if (isOpen) return clock.now();
    await removeOpenFeeder(prisma, device);
    return fail(portion, new HubError('upstream_unavailable', { message: 'The feeder refused.' }));
  }

  async function shut(device: FeederDevice): Promise<void> {
    if (await driver.close(device)) return removeOpenFeeder(prisma, device);
    throw new HubError('upstream_unavailable', { message: 'The feeder does not close; it is told again.' });
  }

  async function stayOpen({ duration_seconds }: Settings['feed']): Promise<void> {
    const { signal } = stopping;
    // Ended early, the feeder is closed just the same.
    await pause(duration_seconds * 1_000, undefined, { signal }).catch(() => undefined);
  }

  async function give(portion: Portion, onOpen: (at: number) => void): Promise<number> {
    await refuseTooEarly(portion.feed);
    const at = await open(portion);
    try {
      await noteDispense(prisma, portion, at);
      onOpen(at);
      if (staysOpen(portion.device)) await stayOpen(portion.feed);
    } finally {
      if (staysOpen(portion.device)) await shut(portion.device);
    }
    return at;
  }

  async function giveAlone(portion: Portion, onOpen: (at: number) => void): Promise<number> {
    const given = await withAdvisoryLock(pool, lockNames.feeder, () => give(portion, onOpen));
    if (!given) throw new HubError('dispense_in_progress');
    return given.result;
  }

  /** A broker that the settings named just now may be connected in a moment. */
  async function isReachable({ kind }: FeederDevice): Promise<boolean> {
    if (kind !== 'mqtt') return true;
    for (let waitedMs = 0; waitedMs < connectMs && mqtt.state() !== 'ok'; waitedMs += connectStepMs) {
      await pause(connectStepMs);
    }
    return mqtt.state() === 'ok';
  }

  async function findPortion(by: string): Promise<Portion> {
    const { feed, mqtt: to } = await settings.current();
    const device = findFeeder(feed);
    if (!device || (device.kind === 'mqtt' && !to.broker.trim())) throw new HubError('feeder_not_configured');
    const portion = { by, source: feed.source, device, feed };
    if (!(await isReachable(device)))
      return fail(portion, new HubError('upstream_unavailable', { message: brokerAway }));
    if (!stopping.signal.aborted) return portion;
    throw new HubError('upstream_unavailable', { message: 'The hub is stopping.' });
  }

  return {
    async dispense(by) {
      const portion = await findPortion(by);
      const isLong = portion.feed.duration_seconds * 1_000 > longestAnswerMs;
      return new Promise((resolve, reject) => {
        const giving = giveAlone(portion, (at) => isLong && resolve(at))
          .then(resolve, (error) => {
            reject(error);
            guard.wake();
          })
          .finally(() => given.delete(giving));
        given.add(giving);
      });
    },
    stop: () => stopping.abort(),
    async close() {
      stopping.abort();
      await Promise.all(given);
      await guard.close();
    },
  };
}
