import type { HubLanguage } from '@birdhub/domain/language';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { Bus } from '@birdhub/shared/bus';
import type { Database } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { enqueueDeliveries, type NotificationChannels } from '../channels/index.js';
import { startDigests } from './digest.js';
import { startHubAlerts } from './hub-alerts.js';
import { consumeNotificationEvents } from './notification-policy.js';
import { fetchReport } from './report-client.js';

/** Dependencies of notifications. */
export interface NotificationDeps extends Pick<Database, 'pool' | 'prisma'> {
  readonly bus: Pick<Bus, 'consume'>;
  readonly settings: SettingsReader;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly channels: Pick<NotificationChannels, 'list' | 'wake'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: {
    readonly basePath: string;
    readonly reportsUrl?: string | undefined;
    readonly internalSecret?: string | undefined;
  };
}

/** Starts notifications: consumes events, checks the hub, and sends digests. */
export function startNotifications(deps: NotificationDeps): { close(): Promise<void> } {
  const { channels: hub, config } = deps;
  const channels = { list: () => hub.list(), wake: () => hub.wake(), enqueue: enqueueDeliveries };
  const own = { ...deps, channels, basePath: config.basePath };
  const subscriptions = consumeNotificationEvents(own);
  const hubAlerts = startHubAlerts(own);
  const digests = startDigests({ ...own, makeReport: reportMakerOf(config) });
  return {
    async close() {
      await Promise.all([hubAlerts.stop(), digests.stop()]);
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    },
  };
}

function reportMakerOf({ reportsUrl, internalSecret }: NotificationDeps['config']) {
  return async (from: number, to: number, language: HubLanguage): Promise<Buffer> => {
    if (reportsUrl === undefined) throw new Error('REPORTS_URL is not set');
    return fetchReport({ reportsUrl, internalSecret }, { from, to, language });
  };
}
