import type { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import type { OutgoingGuard } from '../outgoing/outgoing-guard.js';
import { createWebPushChannel } from '../push/web-push-channel.js';
import { openDeliverer } from './deliver-messages.js';
import { notifyPeople } from './notify-people.js';
import { createTelegramChannel } from './telegram-channel.js';
import { createTelling } from './tell-people.js';
import { type ChannelResult, tryChannels } from './try-channels.js';
import { createWebhookChannel } from './webhook-channel.js';

/** What people are told, and by which ways. */
export interface Notifications {
  tryChannels(): Promise<ChannelResult[]>;
  close(): Promise<void>;
}

/** What it is opened with. */
export interface NotificationParts extends Pick<Database, 'pool' | 'prisma'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: SettingsReader;
  readonly settingsWriter: SettingsWriter;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly guard: OutgoingGuard;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: { readonly basePath: string; readonly telegramApiUrl: string };
}

/** Listens for news, keeps what people are to be told, and hands it over; goes on with what waits from before. */
export function openNotifications(parts: NotificationParts): Notifications {
  const { basePath, telegramApiUrl: apiUrl } = parts.config;
  const channels = {
    web_push: createWebPushChannel(parts),
    webhook: createWebhookChannel(parts),
    telegram: createTelegramChannel({ ...parts, apiUrl }),
  };
  const deliverer = openDeliverer({ ...parts, channels, basePath });
  const telling = createTelling({ ...parts, channels, basePath });
  const listening = notifyPeople({ ...parts, telling, deliverer });
  return {
    tryChannels: () => tryChannels({ ...parts, channels, basePath }),
    async close() {
      await Promise.all(listening.map((subscription) => subscription.close()));
      await deliverer.close();
    },
  };
}
