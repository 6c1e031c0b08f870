import type { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { requireSettingsVersion, type SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory, SpeciesEditor } from '@birdhub/domain/species';
import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { ChangeNotifier, Database, PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { birdFoodRoutes } from './bird-food/bird-food.routes.js';
import { cameraRoutes } from './cameras/cameras.routes.js';
import { comparisonRoutes } from './comparison/comparison.routes.js';
import { displayAnalyticsRoutes } from './displays/display-analytics.routes.js';
import { displayMediaRoutes } from './displays/display-media.routes.js';
import { displayNameRoutes } from './displays/display-names.routes.js';
import { displayVisitRoutes } from './displays/display-visits.routes.js';
import type { ExternalApis } from './external/external-apis.js';
import { highlightsRoutes } from './highlights/highlights.routes.js';
import { liveRoutes } from './live/live.routes.js';
import type { LiveEvents } from './live/live-events.js';
import { recordingsFileRoutes } from './media-files/recordings-files.routes.js';
import { migrationCalendarRoutes } from './migration-calendar/migration-calendar.routes.js';
import { overviewRoutes } from './overview/overview.routes.js';
import { phenologyRoutes } from './phenology/phenology.routes.js';
import { regionComparisonRoutes } from './region-comparison/region-comparison.routes.js';
import type { ResponseBudget } from './response-cache/response-budget.js';
import type { ResponseCache } from './response-cache/response-cache.js';
import { responseCachePlugin } from './response-cache/response-cache.js';
import { reviewRoutes } from './review/review.routes.js';
import { sharedPageRoutes } from './shares/shared-page.routes.js';
import { shareRoutes } from './shares/shares.routes.js';
import { speciesRoutes } from './species/species.routes.js';
import { speciesNamesRoutes } from './species-names/species-names.routes.js';
import { speciesSoundsRoutes } from './species-sounds/species-sounds.routes.js';
import { timelineRoutes } from './timeline/timeline.routes.js';
import { timelineBucketsRoutes } from './timeline/timeline-buckets.routes.js';
import { visitRoutes } from './timeline/visit.routes.js';
import type { RecordingMedia } from './videos/recording-media.js';
import { videoMediaRoutes } from './videos/video-media.routes.js';
import { videoRoutes } from './videos/videos.routes.js';
import { weatherRoutes } from './weather/weather.routes.js';

/** Dependencies of the query application. */
export interface QueryDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly cache: ResponseCache;
  /** For small reads of routes that send files. */
  readonly readPool: pg.Pool;
  /** For writes. */
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly transaction: Database['transaction'];
  readonly notifier: ChangeNotifier;
  readonly writer: Omit<RecordingWriter, 'post'>;
  readonly files: FileRemover;
  readonly settings: SettingsReader;
  readonly recordingsDir: string;
  readonly media: RecordingMedia;
  readonly externalApis: ExternalApis;
  readonly live: LiveEvents;
  readonly directory: SpeciesDirectory;
  readonly speciesEditor: SpeciesEditor;
  readonly clock: Clock;
}

/** Composes the query application; only the gateway may call it. */
export function createQueryApp(deps: QueryDeps): HubApp {
  const { log, metrics, internalSecret, cache } = deps;
  const app = createApp({ log, metrics, consistencyTokens: deps.notifier });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  app.addHook('onRequest', requireSettingsVersion(deps.settings));
  app.register(responseCachePlugin, { cache });
  app.register(async (routes) => addRoutes(routes, { ...deps, budget: cache.budget }));
  return app;
}

function addRoutes(app: HubApp, deps: QueryDeps & { budget: ResponseBudget }): void {
  timelineRoutes(app, deps);
  visitRoutes(app, deps);
  timelineBucketsRoutes(app, deps);
  overviewRoutes(app, deps);
  highlightsRoutes(app, deps);
  migrationCalendarRoutes(app);
  comparisonRoutes(app, deps);
  phenologyRoutes(app);
  videoRoutes(app, deps);
  videoMediaRoutes(app, deps);
  recordingsFileRoutes(app, deps);
  reviewRoutes(app, deps);
  speciesRoutes(app, deps);
  speciesNamesRoutes(app, deps);
  speciesSoundsRoutes(app, deps);
  regionComparisonRoutes(app, deps);
  cameraRoutes(app, deps);
  birdFoodRoutes(app, deps);
  weatherRoutes(app, deps);
  liveRoutes(app, deps);
  shareRoutes(app, deps);
  sharedPageRoutes(app, deps);
  displayVisitRoutes(app, deps);
  displayAnalyticsRoutes(app, deps);
  displayMediaRoutes(app, deps);
  displayNameRoutes(app, deps);
}
