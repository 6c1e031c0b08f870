import type { PictureRequests } from '@birdhub/domain/media';
import type { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { heedCallers, type SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesEditor } from '@birdhub/domain/species';
import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { Bell, PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Answers } from './answers/answers.js';
import { birdFoodRoutes } from './bird-food/bird-food.routes.js';
import { feedInfoRoutes } from './bird-food/feed-info.routes.js';
import { cameraRoutes } from './cameras/cameras.routes.js';
import { recentCorrectionsRoutes } from './corrections/recent-corrections.routes.js';
import { detectionRoutes } from './detections/detections.routes.js';
import { liveRoutes } from './live/live.routes.js';
import type { LiveEvents } from './live/live-events.js';
import { migrationCalendarRoutes } from './migration-calendar/migration-calendar.routes.js';
import type { HubOutside } from './outside/hub-outside.js';
import { overviewRoutes } from './overview/overview.routes.js';
import { recordingsFileRoutes } from './recordings-files/recordings-files.routes.js';
import { regionComparisonRoutes } from './region-comparison/region-comparison.routes.js';
import { speciesRoutes } from './species/species.routes.js';
import { speciesSummaryRoutes } from './species/species-summary.routes.js';
import { speciesVisitsRoutes } from './species/species-visits.routes.js';
import { speciesEditingRoutes } from './species-editing/species-editing.routes.js';
import { speciesSoundsRoutes } from './species-sounds/species-sounds.routes.js';
import { sunTimesRoutes } from './sun-times/sun-times.routes.js';
import { timelineRoutes } from './timeline/timeline.routes.js';
import { unknownsRoutes } from './unknowns/unknowns.routes.js';
import { neighborsRoutes } from './videos/neighbors.routes.js';
import { videoChangeRoutes } from './videos/video-changes.routes.js';
import { videoDetailRoutes } from './videos/video-detail.routes.js';
import { videoMediaRoutes } from './videos/video-media.routes.js';
import { videoPictureRoutes } from './videos/video-pictures.routes.js';
import { weatherRoutes } from './weather/weather.routes.js';

/** What the query application works with. */
export interface QueryDependencies extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly answers: Answers;
  /** For the small reads whose answer is a file. */
  readonly readPool: pg.Pool;
  /** For what people change. */
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly bell: Bell;
  readonly writer: Omit<RecordingWriter, 'post'>;
  readonly files: FileRemover;
  readonly settings: SettingsReader;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly pictures: PictureRequests;
  readonly outside: HubOutside;
  readonly live: LiveEvents;
  readonly speciesEditor: SpeciesEditor;
  readonly clock: Clock;
}

/** The query application: `contract.md` §3, §4 and §6. Only the gateway may call it. */
export function createQueryApp(dependencies: QueryDependencies): HubApp {
  const { log, metrics, internalSecret } = dependencies;
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  app.addHook('onRequest', heedCallers(dependencies.settings));
  timelineRoutes(app, dependencies);
  overviewRoutes(app, dependencies);
  migrationCalendarRoutes(app, dependencies);
  unknownsRoutes(app, dependencies);
  videoDetailRoutes(app, dependencies);
  videoMediaRoutes(app, dependencies);
  videoPictureRoutes(app, dependencies);
  videoChangeRoutes(app, dependencies);
  detectionRoutes(app, dependencies);
  recentCorrectionsRoutes(app, dependencies);
  neighborsRoutes(app, dependencies);
  recordingsFileRoutes(app, dependencies);
  speciesRoutes(app, dependencies);
  speciesSummaryRoutes(app, dependencies);
  speciesVisitsRoutes(app, dependencies);
  speciesEditingRoutes(app, dependencies);
  cameraRoutes(app, dependencies);
  birdFoodRoutes(app, dependencies);
  feedInfoRoutes(app, dependencies);
  weatherRoutes(app, dependencies);
  sunTimesRoutes(app, dependencies);
  regionComparisonRoutes(app, dependencies);
  speciesSoundsRoutes(app, dependencies);
  liveRoutes(app, dependencies);
  return app;
}
