import { setTimeout as pause } from 'node:timers/promises';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import {
  createLoop,
  type Limiter,
  type Loop,
  pauseUnlessAborted,
  withAnySignal,
} from '@birdhub/shared/async';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { errorMessage, HubError, refuse } from '@birdhub/shared/errors';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { toBrokerAddress } from '@birdhub/shared/mqtt';
import { nameDatabase } from '@birdhub/shared/outbox';
import { Counter, Gauge } from 'prom-client';
import { IntakeSession } from './intake-session.js';
import type { IntakeState } from './intake-state.store.js';
import {
  type DeliveredMessage,
  type MessageWriterDeps,
  messageWriter,
  type WriteMessage,
} from './message-writer.js';
import { RefusedError, topicsBelow } from './posted-message.js';
import type { Refusal, RefusedMessages } from './refused-messages.store.js';

/** Dependencies of {@link MqttIntake}. */
export interface MqttIntakeDeps extends MessageWriterDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly state: IntakeState;
  readonly refusedMessages: Pick<RefusedMessages, 'add'>;
  readonly metrics: Pick<ServiceMetrics, 'registry'>;
  /** Memory for bodies and messages, in bytes. */
  readonly bodyMemory: Pick<Limiter, 'take'>;
  /** Maximum delay between two attempts at a message. Default 10 s. */
  readonly maxRetryMs?: number;
}

type BrokerSettings = Settings['mqtt'];

/** Interval in which other processes try to take over the lock. */
const takeoverIntervalMs = 5_000;
const reportIntervalMs = 10_000;
const minRetryMs = 250;
const defaultMaxRetryMs = 10_000;
/** Maximum failed attempts at a message while the database is available. */
const maxFailures = 8;
/** Maximum attempts at a message whose picture has to wait too long; about ten minutes. */
const maxBusyAttempts = 60;

/**
 * Consumes recordings, sightings and heartbeats from the MQTT broker of the settings. Messages are acknowledged after
 * they are stored (at least once); storing is idempotent. Only the process that holds a lock consumes: all processes share
 * one persistent session, which shared subscriptions do not support.
 */
export class MqttIntake {
  readonly #deps: MqttIntakeDeps;
  readonly #loop: Loop;
  readonly #metrics: ReturnType<typeof createIntakeMetrics>;
  #stopWatching = () => {};
  #settings: BrokerSettings | undefined;
  /** Fires when changed settings must be applied. */
  #changed = new AbortController();
  #isConnected = false;
  #unreported = { taken: 0, refused: 0, lastTakenAt: undefined as Date | undefined };

  constructor(deps: MqttIntakeDeps) {
    this.#deps = deps;
    this.#metrics = createIntakeMetrics(deps.metrics, () => this.#isConnected);
    this.#loop = createLoop({
      work: (signal) => this.#runIfFree(signal),
      everyMs: takeoverIntervalMs,
      onError: (error) => deps.log.warn({ err: error }, 'mqtt intake failed, retrying'),
    });
  }

  start(): void {
    this.#stopWatching = this.#deps.settings.watch(({ mqtt }) => this.#apply(mqtt), ['mqtt']);
    this.#loop.start();
  }

  /** Stops; resolves when the current message is stored and the connection closed. */
  async stop(): Promise<void> {
    this.#stopWatching();
    await this.#loop.stop();
  }

  #apply(settings: BrokerSettings): void {
    const isSame = this.#settings !== undefined && keyOf(this.#settings) === keyOf(settings);
    this.#settings = settings;
    if (isSame) return;
    this.#changed.abort(new Error('the settings have changed'));
    this.#changed = new AbortController();
    this.#loop.wake();
  }

  async #runIfFree(stopping: AbortSignal): Promise<void> {
    const settings = this.#settings;
    const changed = this.#changed.signal;
    if (!settings?.accept_posts || !settings.broker.trim()) return;
    await withAdvisoryLock(this.#deps.pool, lockNames.mqttPosts, (lost) =>
      withAnySignal([stopping, changed, lost], (ended) => this.#consume(settings, { changed, ended })),
    );
  }

  /** Consumes messages until a signal fires. */
  async #consume(
    settings: BrokerSettings,
    { changed, ended }: { readonly changed: AbortSignal; readonly ended: AbortSignal },
  ): Promise<void> {
    const { pool, state, log } = this.#deps;
    const address = toBrokerAddress(settings);
    if (!address) return;
    const broker = `${address.host}:${address.port}`;
    const { post_topic: postTopic } = settings;
    const before = await state.subscribedTopic();
    let isOutageKnown = false;
    let topicStored = Promise.resolve();
    const session = new IntakeSession({
      address,
      clientId: `birdhub-in-${await nameDatabase(pool)}`,
      topics: topicsBelow(postTopic),
      oldTopics: before === undefined || before === postTopic ? [] : topicsBelow(before),
      handle: async (message, signal) => {
        // The message is in memory already, so it does not wait.
        const release = this.#deps.bodyMemory.take(message.payload.length);
        await this.#handle(postTopic, message, signal).finally(release);
      },
      onUp: () => {
        isOutageKnown = false;
        log.info({ broker, topic: postTopic }, 'mqtt intake connected');
        this.#setConnected(true);
        topicStored = state
          .storeSubscribedTopic(postTopic)
          .catch((error: unknown) => log.warn({ err: error }, 'subscribed topic not stored'));
      },
      onDown: (reason) => {
        if (!isOutageKnown) log.warn({ broker, reason }, 'mqtt intake disconnected, reconnecting');
        isOutageKnown = true;
        this.#setConnected(false);
      },
    });
    try {
      while (!ended.aborted) {
        await this.#report();
        await pauseUnlessAborted(reportIntervalMs, ended);
      }
    } finally {
      await session.close({ unsubscribe: changed.aborted });
      // The topic of the next settings must be stored after this one.
      await topicStored;
      this.#isConnected = false;
      await this.#report();
    }
  }

  #setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    void this.#report();
  }

  async #report(): Promise<void> {
    const { state, log } = this.#deps;
    const reported = this.#unreported;
    this.#unreported = { taken: 0, refused: 0, lastTakenAt: undefined };
    try {
      await state.report({ isConnected: this.#isConnected, ...reported });
    } catch (error) {
      log.warn({ err: error }, 'state of the mqtt intake not stored');
      const { taken, refused, lastTakenAt } = this.#unreported;
      this.#unreported = {
        taken: taken + reported.taken,
        refused: refused + reported.refused,
        lastTakenAt: lastTakenAt ?? reported.lastTakenAt,
      };
    }
  }

  /** Resolves when the message is stored or recorded as refused. @throws the reason of the signal */
  async #handle(postTopic: string, message: DeliveredMessage, signal: AbortSignal): Promise<void> {
    const write = messageWriter(this.#deps, postTopic, message);
    const { maxRetryMs = defaultMaxRetryMs } = this.#deps;
    let failures = 0;
    let busyAttempts = 0;
    for (let retryMs = minRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
      signal.throwIfAborted();
      const isLast = failures >= maxFailures || busyAttempts >= maxBusyAttempts;
      try {
        await this.#writeOnce(write, message, signal, isLast ? failures + busyAttempts : undefined);
        return;
      } catch (error) {
        signal.throwIfAborted();
        this.#deps.log.warn({ err: error, topic: message.topic }, 'mqtt message not stored, retrying');
        if (error instanceof HubError && error.code === 'busy') busyAttempts += 1;
        else if (await this.#isMessageFault(error)) failures += 1;
      }
      await pause(Math.min(retryMs, maxRetryMs), undefined, { signal });
    }
  }

  /** Writes a message, or records it as refused: after `maxAttempts`, whatever the failure is. */
  async #writeOnce(
    write: WriteMessage,
    message: DeliveredMessage,
    signal: AbortSignal,
    maxAttempts: number | undefined,
  ): Promise<void> {
    try {
      const outcome = await write(signal);
      if (outcome === 'ignored') return;
      this.#unreported.taken += 1;
      this.#unreported.lastTakenAt = new Date();
      this.#metrics.taken.inc({ kind: outcome });
    } catch (error) {
      const refusal = error instanceof RefusedError ? error.refusal : undefined;
      if (refusal) await this.#refuse(message, refusal);
      else if (maxAttempts !== undefined && !signal.aborted)
        await this.#refuse(message, internalRefusal(error, maxAttempts));
      else throw error;
    }
  }

  async #refuse(message: DeliveredMessage, refusal: Refusal): Promise<void> {
    const { refusedMessages, log } = this.#deps;
    const { topic } = message;
    await refusedMessages.add(message, refusal);
    this.#unreported.refused += 1;
    this.#metrics.refused.inc({ reason: refusal.reason });
    const { reason, field, error } = refusal;
    log.warn({ topic, reason, field, problem: error }, 'mqtt message rejected');
  }

  /** Whether the message itself caused a failure, rather than the database, a full disk or the like. */
  async #isMessageFault(error: unknown): Promise<boolean> {
    if (error instanceof HubError && error.code !== 'internal') return false;
    return this.#deps.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}

const keyOf = ({ broker, port, username, password, accept_posts, post_topic }: BrokerSettings) =>
  JSON.stringify([broker, port, username, password, accept_posts, post_topic]);

function internalRefusal(error: unknown, times: number): Refusal {
  const reason = errorMessage(error);
  const detail = refuse('', 'message_failed', { times, reason });
  return { reason: 'internal', field: null, error: detail.message, details: [detail] };
}

function createIntakeMetrics({ registry }: Pick<ServiceMetrics, 'registry'>, isConnected: () => boolean) {
  const registers = [registry];
  new Gauge({
    name: 'hub_mqtt_posts_connected',
    help: 'Whether this process takes posts from the MQTT broker',
    registers,
    collect() {
      this.set(Number(isConnected()));
    },
  });
  return {
    taken: new Counter({
      name: 'hub_mqtt_posts_taken_total',
      help: 'Messages by MQTT that were stored',
      labelNames: ['kind'],
      registers,
    }),
    refused: new Counter({
      name: 'hub_mqtt_posts_refused_total',
      help: 'Messages by MQTT that were refused',
      labelNames: ['reason'],
      registers,
    }),
  };
}
