import { requireSettingsVersion, type SettingsReader, type SettingsWriter } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { type AppOptions, addEntityTags, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { ChangeNotifier, Database } from '@birdhub/shared/db';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { Clock } from '@birdhub/shared/time';
import { activityRoutes } from './activity/activity.routes.js';
import { channelRoutes } from './channels/index.js';
import { pushDeliveriesRoutes, pushRoutes } from './channels/push/push.routes.js';
import type { Components } from './components.js';
import { feederRoutes } from './feeder/feeder.routes.js';
import { hostMetricsRoutes } from './host-metrics/host-metrics.routes.js';
import { hubMetricsRoutes } from './hub-metrics/hub-metrics.routes.js';
import { jobsRoutes } from './jobs/jobs.routes.js';
import { logsRoutes } from './logs/logs.routes.js';
import { alertRuleRoutes } from './notifications/alert-rules.routes.js';
import { digestRoutes } from './notifications/digest.routes.js';
import { notificationsRoutes } from './notifications/notifications.routes.js';
import { processorRoutes } from './processor/processor.routes.js';
import { recordingsScanRoutes } from './recordings-scan/recordings-scan.routes.js';
import { retentionRoutes } from './retention/retention.routes.js';
import { settingsRoutes } from './settings/settings.routes.js';
import { statusRoutes } from './status/status.routes.js';
import { storageRoutes } from './storage/storage.routes.js';
import { visitorsRoutes } from './visitors/visitors.routes.js';

/** Dependencies of the application. */
export interface SystemDeps
  extends Pick<AppOptions, 'log' | 'metrics'>,
    Pick<Database, 'pool' | 'prisma' | 'transaction'>,
    Components {
  readonly internalSecret: string | undefined;
  readonly notifier: Pick<ChangeNotifier, 'last'>;
  readonly clock: Clock;
  readonly settings: SettingsReader;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
  readonly guard: ServiceGuard;
  readonly directory: Pick<SpeciesDirectory, 'tree'>;
  readonly basePath: string;
}

/** Creates the system application; only the gateway may call it. */
export function createSystemApp(deps: SystemDeps): HubApp {
  const { internalSecret, log, metrics } = deps;
  const app = createApp({ log, metrics, consistencyTokens: deps.notifier });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  app.addHook('onRequest', requireSettingsVersion(deps.settings));
  addEntityTags(app);
  settingsRoutes(app, deps);
  statusRoutes(app, deps);
  hubMetricsRoutes(app, deps);
  hostMetricsRoutes(app, deps);
  activityRoutes(app, deps);
  visitorsRoutes(app, deps);
  logsRoutes(app, deps);
  processorRoutes(app, deps);
  feederRoutes(app, deps);
  pushRoutes(app, deps);
  pushDeliveriesRoutes(app, deps);
  notificationsRoutes(app, deps);
  alertRuleRoutes(app, deps);
  digestRoutes(app, deps);
  channelRoutes(app, deps);
  storageRoutes(app, deps);
  retentionRoutes(app, deps);
  recordingsScanRoutes(app, deps);
  jobsRoutes(app, deps);
  return app;
}
