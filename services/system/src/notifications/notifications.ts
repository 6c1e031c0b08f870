import type { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { OutgoingGuard } from '@birdhub/shared/outgoing';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { createWebPushChannel } from '../push/web-push-channel.js';
import type { MessageChannels } from './alerts.store.js';
import {
  type Channel,
  type ChannelName,
  type Channels,
  channelNames,
  createTelegramChannel,
  createWebhookChannel,
  type Message,
} from './channels.js';
import { startDeliveryQueues } from './delivery-queue.js';
import { startDigests } from './digest.js';
import { startHubAlerts } from './hub-alerts.js';
import { testMessage } from './message.js';
import { consumeNotificationEvents } from './notification-policy.js';
import { fetchReport } from './report-client.js';

/** Notifications by web push, webhook and Telegram. */
export interface Notifications {
  readonly channels: MessageChannels;
  /** Sends a test message to every configured channel at once, whatever the settings say. Does not retry. */
  testChannels(): Promise<ChannelResult[]>;
  close(): Promise<void>;
}

/** The result of a test message. */
export interface ChannelResult {
  readonly channel: ChannelName;
  readonly ok: boolean;
  readonly error: string | null;
}

/** What notifications need. */
export interface NotificationDeps extends Pick<Database, 'pool' | 'prisma'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: SettingsReader;
  readonly settingsWriter: SettingsWriter;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly guard: OutgoingGuard;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: {
    readonly basePath: string;
    readonly telegramApiUrl: string;
    readonly reportsUrl?: string | undefined;
    readonly internalSecret?: string | undefined;
  };
}

const testTtlSeconds = 60;

/** Consumes events, queues notifications and delivers them, first those left by an earlier process. */
export function startNotifications(deps: NotificationDeps): Notifications {
  const { basePath, telegramApiUrl: apiUrl } = deps.config;
  const channels = {
    web_push: createWebPushChannel(deps),
    webhook: createWebhookChannel(deps),
    telegram: createTelegramChannel({ ...deps, apiUrl }),
  };
  const queues = startDeliveryQueues({ ...deps, channels, basePath });
  const messageChannels = createMessageChannels(deps, channels, () => queues.wake());
  const subscriptions = consumeNotificationEvents({ ...deps, channels: messageChannels, basePath });
  const loopDeps = { ...deps, channels: messageChannels, basePath };
  const hubAlerts = startHubAlerts(loopDeps);
  const digests = startDigests({ ...loopDeps, makeReport: reportMakerOf(deps.config) });
  return {
    channels: messageChannels,
    testChannels: () => testChannels(deps, channels),
    async close() {
      await Promise.all([hubAlerts.stop(), digests.stop()]);
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
      await queues.close();
    },
  };
}

function reportMakerOf({ reportsUrl, internalSecret }: NotificationDeps['config']) {
  return async (from: number, to: number): Promise<Buffer> => {
    if (reportsUrl === undefined) throw new Error('REPORTS_URL is not set');
    return fetchReport({ reportsUrl, internalSecret }, from, to);
  };
}

const insertDeliveriesSql = `
  INSERT INTO push_delivery (notification_id, channel, target, next_attempt_at, created_at)
  SELECT $1, channel, target, $3, $3 FROM json_to_recordset($2) AS of_message (channel text, target text)`;

/** The channels of the settings, numbered in their order. */
function createMessageChannels(
  { settings, pool }: NotificationDeps,
  channels: Channels,
  wake: () => void,
): MessageChannels {
  return {
    wake,
    async list() {
      const current = await settings.current();
      return Promise.all(
        channelNames.map(async (kind, index) => {
          const enabled = (await channels[kind].targets(current, pool)).length > 0;
          return { id: index + 1, kind, name: kind, enabled };
        }),
      );
    },
    async enqueue(client, { notificationId, channelIds, now }) {
      const current = await settings.current();
      const names = channelNames.filter((_, index) => channelIds.includes(index + 1));
      const found = await Promise.all(
        names.map(async (channel) => {
          const targets = await channels[channel].targets(current, client);
          return targets.map((target) => ({ channel, target }));
        }),
      );
      const targets = found.flat();
      await client.query(insertDeliveriesSql, [notificationId, JSON.stringify(targets), new Date(now)]);
      return targets.length;
    },
  };
}

async function testChannels(
  { pool, settings, clock, config: { basePath } }: NotificationDeps,
  channels: Channels,
): Promise<ChannelResult[]> {
  const current = await settings.current();
  const base = { baseUrl: current.notifications.base_url, basePath };
  const message = testMessage(clock.now(), { settings: current, base });
  const results = await Promise.all(
    channelNames.map(async (channel) => {
      const targets = await channels[channel].targets(current, pool);
      if (!targets.length) return [];
      const error = await sendToAll(channels[channel], targets, message);
      return [{ channel, ok: error === null, error }];
    }),
  );
  return results.flat();
}

/** Returns the distinct errors of a channel; null when all targets took the message. */
async function sendToAll(
  channel: Channel,
  targets: readonly string[],
  message: Message,
): Promise<string | null> {
  const outcomes = await Promise.all(targets.map((target) => channel.send(message, target, testTtlSeconds)));
  const errors = outcomes.filter(({ state }) => state !== 'sent').map(({ error }) => error);
  if (!errors.length) return null;
  const reasons = [...new Set(errors)].join('; ');
  return targets.length > 1 ? `${errors.length} of ${targets.length}: ${reasons}` : reasons;
}
