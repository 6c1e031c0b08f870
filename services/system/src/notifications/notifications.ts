import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { ChannelHub } from '../channels/index.js';
import { consumeNotificationEvents } from './notification-policy.js';

/** What notifications need. */
export interface NotificationDeps extends Pick<Database, 'pool' | 'prisma'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: SettingsReader;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: Pick<ChannelHub, 'list' | 'wake'>;
  readonly clock: Clock;
  readonly config: { readonly basePath: string };
}

/** Consumes events and queues notifications. */
export function startNotifications(deps: NotificationDeps): { close(): Promise<void> } {
  const { basePath } = deps.config;
  const onQueued = () => deps.channels.wake();
  const subscriptions = consumeNotificationEvents({ ...deps, basePath, onQueued });
  return {
    async close() {
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}
