import { createApp, type HubApp } from '@birdhub/shared/app';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { heedCallers, type SettingsReader } from '@birdhub/shared/settings';
import type { Logger } from 'pino';
import { activeSpeciesRoutes } from './active-species/active-species.routes.js';
import type { ActiveSpeciesStore } from './active-species/active-species.store.js';
import { activityLogRoutes } from './activity-log/activity-log.routes.js';
import type { ActivityLogStore } from './activity-log/activity-log.store.js';
import { notificationRoutes } from './notifications/notifications.routes.js';
import type { NotificationStore } from './notifications/notifications.store.js';
import { type IngestSecrets, requireProcessor } from './processor-auth/require-processor.js';
import { type RecordingDependencies, recordingRoutes } from './recordings/recordings.routes.js';

/** What the ingest application works with. */
export interface IngestDependencies extends RecordingDependencies, IngestSecrets {
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  readonly settings: Pick<SettingsReader, 'heed'>;
  readonly activeSpecies: ActiveSpeciesStore;
  readonly activityLog: ActivityLogStore;
  readonly notifications: NotificationStore;
}

/** The processor surface: `contract.md` §10; for the gateway, and for processors that have the token. */
export function createIngestApp(dependencies: IngestDependencies): HubApp {
  const { log, metrics } = dependencies;
  const app = createApp({ log, metrics });
  app.addHook('onRequest', requireProcessor(dependencies));
  app.addHook('onRequest', heedCallers(dependencies.settings));
  app.register(
    async (routes: HubApp) => {
      recordingRoutes(routes, dependencies);
      activeSpeciesRoutes(routes, dependencies);
      activityLogRoutes(routes, dependencies);
      notificationRoutes(routes, dependencies);
    },
    { prefix: '/api/processor' },
  );
  return app;
}
