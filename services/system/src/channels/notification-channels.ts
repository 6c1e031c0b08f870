import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { Caller } from '@birdhub/shared/app';
import { createLimiter } from '@birdhub/shared/async';
import type { Database } from '@birdhub/shared/db';
import { invalidField, shownSentences } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import type { MqttConnection } from '../mqtt/mqtt-connection.js';
import type { Message, Outcome } from './channel.js';
import { applyChange, type ChannelChange } from './channel-form.js';
import { type ChannelKindName, type ChannelKinds, createChannelKinds } from './channel-kinds.js';
import type { ChannelTest, ChannelTestBody, ShownChannel } from './channels.schema.js';
import { type ChannelFields, ChannelStore, type StoredChannel } from './channels.store.js';
import { countWaiting } from './deliveries.store.js';
import { type DeliveryFailure, say, toEnglish } from './delivery-failures.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { HubBase } from './hub-links.js';
import { migrateSettings } from './legacy-settings.js';

/** Dependencies of {@link NotificationChannels}. */
export interface NotificationChannelsDeps extends Pick<Database, 'pool' | 'prisma' | 'transaction'> {
  readonly settings: SettingsReader;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
  readonly secrets: SecretBox;
  readonly mqtt: Pick<MqttConnection, 'publish'>;
  /** Guards requests to push services of browsers. */
  readonly guard: Pick<ServiceGuard, 'admit'>;
  /** Guards requests to user-supplied addresses. */
  readonly serviceGuard: Pick<ServiceGuard, 'admit'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
  readonly telegramApiUrl: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
  /** Writes the message that a test sends; `at` is in ms since the epoch. */
  readonly testMessage: (
    at: number,
    context: { readonly settings: Settings; readonly base: HubBase },
  ) => Message;
}

/** A channel in alert rules. */
export interface ChannelSummary {
  readonly id: number;
  readonly kind: ChannelKindName;
  readonly name: string;
  readonly enabled: boolean;
  /** Whether it sends attached files. */
  readonly takesFiles: boolean;
}

/** The result of a test message. */
export interface ChannelResult {
  readonly channel: ChannelKindName;
  readonly ok: boolean;
  readonly error: string | null;
  /** The same for translation. */
  readonly sentences: ReturnType<typeof shownSentences>;
}

const testTtlSeconds = 60;
const maxTestRecipients = 50;

/** The notification channels: their configuration and the delivery queue. */
export class NotificationChannels {
  readonly #deps: NotificationChannelsDeps;
  readonly #store: ChannelStore;
  readonly #kinds: ChannelKinds;
  readonly #queue: DeliveryQueue;
  readonly #tests = createLimiter({ max: 4, maxWaiting: 16, waitTimeoutMs: 10_000 });

  constructor(deps: NotificationChannelsDeps) {
    this.#deps = deps;
    this.#store = new ChannelStore(deps);
    this.#kinds = createChannelKinds(deps);
    this.#queue = new DeliveryQueue({ ...deps, store: this.#store, kinds: this.#kinds });
  }

  /** Starts to send queued messages, including those of earlier processes. */
  start(): void {
    this.#queue.start();
  }

  /** Checks for queued messages now. */
  wake(): void {
    this.#queue.wake();
  }

  /** Stops; resolves when deliveries in flight are settled. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  /** Lists channels, oldest first. */
  async list(): Promise<ChannelSummary[]> {
    const isWebPushOn = await this.#isWebPushOn();
    return (await this.#listStored()).map(({ id, kind, name, enabled, options }) => ({
      id,
      kind,
      name,
      enabled: enabled && (kind !== 'web_push' || isWebPushOn),
      takesFiles: Boolean(this.#kinds[kind].media(options).maxAttachmentBytes),
    }));
  }

  /** Lists channels in the form for responses. */
  async show(): Promise<ShownChannel[]> {
    const waiting = await countWaiting(this.#deps.pool);
    const channels = await this.#listStored();
    return Promise.all(channels.map((channel) => this.#show(channel, waiting.get(channel.id) ?? 0)));
  }

  /** @throws HubError invalid_request, channel_name_taken, too_many_channels, channel_exists */
  async create(kind: ChannelKindName, change: ChannelChange, caller: Caller): Promise<ShownChannel> {
    const fields = applyChange(kind, change, this.#kinds[kind]);
    const id = await this.#store.create(kind, fields);
    this.#log('notification channel added', id, caller);
    if (kind === 'web_push' && fields.enabled) await this.#enableWebPush();
    return this.#show(await this.#store.get(id), 0);
  }

  /** @throws HubError invalid_request, channel_not_found, channel_name_taken, conflict */
  async update(id: number, change: ChannelChange, caller: Caller): Promise<ShownChannel> {
    const before = await this.#store.get(id);
    await this.#store.update(before, applyChange(before.kind, change, this.#kinds[before.kind], before));
    if (before.kind === 'web_push' && change.enabled) await this.#enableWebPush();
    this.#log('notification channel changed', id, caller);
    this.wake();
    return this.#show(await this.#store.get(id), 0);
  }

  /** @throws HubError channel_not_found */
  async delete(id: number, caller: Caller): Promise<void> {
    await this.#store.get(id);
    await this.#store.delete(id);
    this.#log('notification channel deleted', id, caller);
  }

  /** Sends a test message with the options of a form. @throws HubError invalid_request, channel_not_found, busy */
  async test({ id, kind, ...change }: ChannelTestBody): Promise<ChannelTest> {
    const before = id === undefined ? undefined : await this.#store.get(id);
    const testedKind = kind ?? before?.kind;
    if (testedKind === undefined) throw invalidField('/kind', 'is required without an id');
    if (before && before.kind !== testedKind) throw invalidField('/kind', `must be ${before.kind}`);
    const named = { ...change, name: before?.name ?? 'test' };
    const fields = applyChange(testedKind, named, this.#kinds[testedKind], before);
    return this.#tests.run(async () => {
      const { count, failures } = await this.#sendTest(testedKind, fields);
      if (!count) {
        const none = say('no_browser');
        return { ok: false, message: toEnglish(none), sentences: shownSentences([none]) };
      }
      const sentences = shownSentences(failures);
      if (failures.length)
        return { ok: false, message: `It was not sent. ${toEnglish(failures)}`, sentences };
      return { ok: true, message: count > 1 ? `Sent to ${count} browsers.` : 'Sent.', sentences };
    });
  }

  /** Sends a test message by all enabled channels concurrently. Does not retry. */
  async testAll(): Promise<ChannelResult[]> {
    const isWebPushOn = await this.#isWebPushOn();
    const channels = (await this.#listStored()).filter(
      ({ enabled, kind }) => enabled && (kind !== 'web_push' || isWebPushOn),
    );
    const results = await Promise.all(
      channels.map(async (channel) => {
        const { count, failures } = await this.#sendTest(channel.kind, channel);
        const error = failures.length ? toEnglish(failures) : null;
        const sentences = shownSentences(failures);
        return count ? [{ channel: channel.kind, ok: error === null, error, sentences }] : [];
      }),
    );
    return results.flat();
  }

  async #sendTest(
    kind: ChannelKindName,
    { options, secrets }: Pick<ChannelFields, 'options' | 'secrets'>,
  ): Promise<{ readonly count: number; readonly failures: readonly DeliveryFailure[] }> {
    const { pool, settings, clock, basePath } = this.#deps;
    const current = await settings.current();
    const base = { baseUrl: current.notifications.base_url, basePath };
    const message = this.#deps.testMessage(clock.now(), { settings: current, base });
    const shipment = { message, ttlSeconds: testTtlSeconds, options, secrets };
    const noMedia = { picture: undefined, clip: undefined, attachments: [] };
    const targets = (await this.#kinds[kind].targets?.(pool)) ?? [''];
    const outcomes = await Promise.all(
      targets
        .slice(0, maxTestRecipients)
        .map((target) => this.#kinds[kind].send({ ...shipment, ...noMedia, target })),
    );
    return { count: outcomes.length, failures: failuresOf(outcomes) };
  }

  async #listStored(): Promise<StoredChannel[]> {
    await migrateSettings({ ...this.#deps, store: this.#store });
    return this.#store.list();
  }

  async #isWebPushOn(): Promise<boolean> {
    return (await this.#deps.settings.current()).web_push.enabled;
  }

  /** Enables web push, which a setting of an earlier version may have disabled. */
  async #enableWebPush(): Promise<void> {
    if (await this.#isWebPushOn()) return;
    await this.#deps.settingsWriter.change({ web_push: { enabled: true } }, { role: 'hub' });
    this.#deps.settings.forget();
  }

  async #show(channel: StoredChannel, waiting: number): Promise<ShownChannel> {
    const { id, kind, name, options, secrets, error, sentences, lastSentAt, errorAt, createdAt } = channel;
    const enabled = channel.enabled && (kind !== 'web_push' || (await this.#isWebPushOn()));
    const lost = channel.hasLostSecrets ? say('key_lost') : undefined;
    const shownError = lost ? toEnglish(lost) : error;
    const isUnused = lastSentAt === null;
    return {
      id,
      kind,
      name,
      enabled,
      options: { ...options },
      secrets: Object.keys(secrets),
      state: !enabled ? 'paused' : shownError ? 'failing' : isUnused ? 'unused' : 'ok',
      recipients: (await this.#kinds[kind].targets?.(this.#deps.pool))?.length ?? 1,
      waiting,
      last_sent_at: lastSentAt?.toISOString() ?? null,
      error: shownError,
      sentences: shownSentences(lost ? [lost] : sentences),
      error_at: errorAt?.toISOString() ?? null,
      created_at: createdAt.toISOString(),
    };
  }

  #log(event: string, id: number, { role, token, requestId }: Caller): void {
    this.#deps.log.info({ channel_id: id, by: role, token, request_id: requestId }, event);
  }
}

/** Returns the distinct failures; with several recipients, they are preceded by the number of failed deliveries. */
function failuresOf(outcomes: readonly Outcome[]): DeliveryFailure[] {
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  const distinct = [...new Map(failures.map((failure) => [toEnglish(failure), failure])).values()];
  const hasSeveralRecipients = failures.length > 0 && outcomes.length > 1;
  return [
    ...(hasSeveralRecipients ? [say('some_of', { failed: failures.length, total: outcomes.length })] : []),
    ...distinct,
  ];
}
