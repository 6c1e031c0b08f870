import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { TObject } from 'typebox';
import type { MqttConnection } from '../mqtt/mqtt-connection.js';
import { appriseOptions, createAppriseChannel } from './apprise.js';
import type { ChannelKind } from './channel.js';
import { createPostRequest } from './channel-http.js';
import { createDiscordChannel, discordOptions } from './discord.js';
import { createEmailChannel, emailOptions } from './email.js';
import { createMqttChannel, mqttOptions } from './mqtt-message.js';
import { createNtfyChannel, ntfyOptions } from './ntfy.js';
import { createWebPushChannel, type WebPushDeps, webPushOptions } from './push/web-push-channel.js';
import { createTelegramChannel, telegramOptions } from './telegram.js';
import { createWebhookChannel, webhookOptions } from './webhook.js';

/** The kinds of channels. */
export const channelKindNames = [
  'web_push',
  'webhook',
  'telegram',
  'ntfy',
  'discord',
  'email',
  'mqtt',
  'apprise',
] as const;

/** One of {@link channelKindNames}. */
export type ChannelKindName = (typeof channelKindNames)[number];

/** The schemas of options by kind. */
export const channelOptions = {
  web_push: webPushOptions,
  webhook: webhookOptions,
  telegram: telegramOptions,
  ntfy: ntfyOptions,
  discord: discordOptions,
  email: emailOptions,
  mqtt: mqttOptions,
  apprise: appriseOptions,
} as const satisfies Record<ChannelKindName, TObject>;

/** All kinds, ready to send. Their callers validate options. */
export type ChannelKinds = Readonly<Record<ChannelKindName, ChannelKind>>;

/** Dependencies of the kinds. */
export interface ChannelKindDeps extends WebPushDeps {
  readonly serviceGuard: Pick<ServiceGuard, 'admit'>;
  readonly mqtt: Pick<MqttConnection, 'publish'>;
  /** Base URL of the Telegram Bot API. */
  readonly telegramApiUrl: string;
}

/** Creates all kinds. */
export function createChannelKinds(deps: ChannelKindDeps): ChannelKinds {
  const { serviceGuard: guard, mqtt, telegramApiUrl } = deps;
  const post = createPostRequest(guard);
  const kinds = {
    web_push: createWebPushChannel(deps),
    webhook: createWebhookChannel(post),
    telegram: createTelegramChannel(post, telegramApiUrl),
    ntfy: createNtfyChannel(post),
    discord: createDiscordChannel(post),
    email: createEmailChannel(guard, deps.settings),
    mqtt: createMqttChannel({ mqtt, guard }),
    apprise: createAppriseChannel(post),
  };
  return kinds as unknown as ChannelKinds;
}
