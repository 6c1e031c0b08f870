import { requireSettingsVersion, type SettingsReader } from '@birdhub/domain/settings';
import { createApp, type HubApp } from '@birdhub/shared/app';
import type { Limiter } from '@birdhub/shared/async';
import type { ChangeNotifier } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import type { Logger } from 'pino';
import { activeSpeciesRoutes } from './active-species/active-species.routes.js';
import type { ActiveSpeciesStore } from './active-species/active-species.store.js';
import { activityLogRoutes } from './activity-log/activity-log.routes.js';
import type { ActivityLogStore } from './activity-log/activity-log.store.js';
import { limitBodyMemory } from './body-memory.js';
import { type DemoRoutesDeps, demoRoutes } from './demo/demo.routes.js';
import { detectionNoticeRoutes } from './detection-notices/detection-notices.routes.js';
import type { DetectionNotices } from './detection-notices/detection-notices.store.js';
import { hookRoutes } from './hooks/hooks.routes.js';
import { type LiveViewRoutesDeps, liveViewRoutes } from './live-view/live-view.routes.js';
import { mediaUploadRoutes } from './media-upload/media-upload.routes.js';
import type { MediaUploads } from './media-upload/media-uploads.js';
import { refusedMessagesRoutes } from './mqtt-posts/refused-messages.routes.js';
import type { RefusedMessages } from './mqtt-posts/refused-messages.store.js';
import { type IngestSecrets, requireAllowedCamera, requireProcessor } from './processor-auth.js';
import { type RecordingDeps, recordingRoutes } from './recordings/recordings.routes.js';
import type { SightingDeps } from './sightings/sightings.js';
import { sightingRoutes } from './sightings/sightings.routes.js';
import { type SourceRoutesDeps, sourceRoutes } from './sources/sources.routes.js';

/** Dependencies of the ingest application. */
export interface IngestDeps
  extends RecordingDeps,
    SightingDeps,
    SourceRoutesDeps,
    DemoRoutesDeps,
    LiveViewRoutesDeps,
    IngestSecrets {
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  readonly bodyMemory: Limiter;
  readonly notifier: Pick<ChangeNotifier, 'last'>;
  readonly settings: Pick<SettingsReader, 'requireVersion' | 'current' | 'watch'>;
  readonly activeSpecies: ActiveSpeciesStore;
  readonly activityLog: ActivityLogStore;
  readonly notices: DetectionNotices;
  readonly uploads: MediaUploads;
  readonly refusedMessages: Pick<RefusedMessages, 'list'>;
}

/**
 * Composes the API of processors, which the gateway and processors with the token can call, and the routes of the UI,
 * which only the gateway can call.
 */
export function createIngestApp(deps: IngestDeps): HubApp {
  const { log, metrics } = deps;
  const app = createApp({ log, metrics, consistencyTokens: deps.notifier });
  app.addHook('onRequest', requireProcessor(deps));
  app.addHook('onRequest', requireSettingsVersion(deps.settings));
  limitBodyMemory(app, deps.bodyMemory);
  app.addHook('preHandler', requireAllowedCamera);
  // Otherwise the app would wait for the connections of uploads and live views before it closes.
  app.addHook('preClose', () => deps.uploads.stop());
  app.addHook('preClose', async () => deps.liveView.stop());
  app.register(
    async (routes: HubApp) => {
      recordingRoutes(routes, deps);
      activeSpeciesRoutes(routes, deps);
      activityLogRoutes(routes, deps);
      detectionNoticeRoutes(routes, deps);
      mediaUploadRoutes(routes, deps);
    },
    { prefix: '/api/processor' },
  );
  hookRoutes(app, deps);
  refusedMessagesRoutes(app, deps);
  sightingRoutes(app, deps);
  sourceRoutes(app, deps);
  demoRoutes(app, deps);
  liveViewRoutes(app, deps);
  return app;
}
