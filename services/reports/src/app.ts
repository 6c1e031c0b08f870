import type { PictureRequests } from '@birdhub/domain/media';
import { requireSettingsVersion, type SettingsReader } from '@birdhub/domain/settings';
import { type AppOptions, addEntityTags, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { datasetRoutes } from './dataset-export/dataset.routes.js';
import { dayCardRoutes } from './day-card/day-card.routes.js';
import type { DayCards } from './day-card/day-cards.js';
import type { Crops } from './detection-crop/crops.js';
import { detectionCropRoutes } from './detection-crop/detection-crop.routes.js';
import type { ExportSlots } from './export-slots.js';
import { monthlyReportRoutes } from './monthly-report/monthly-report.routes.js';
import type { ReportMaker } from './monthly-report/report-maker.js';
import { timelineExportRoutes } from './timeline-export/timeline-export.routes.js';

/** Dependencies of the reports application. */
export interface ReportsDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly readPool: pg.Pool;
  /** The primary database, for reads that must be current. */
  readonly pool: pg.Pool;
  readonly settings: SettingsReader;
  /** The folder of the recordings. */
  readonly recordingsDir: string;
  readonly crops: Crops;
  readonly pictures: PictureRequests;
  readonly reports: ReportMaker;
  readonly dayCards: DayCards;
  readonly exportSlots: ExportSlots;
  readonly clock: Clock;
}

/** Creates the reports application; only the gateway may call it. */
export function createReportsApp(deps: ReportsDeps): HubApp {
  const { log, metrics, internalSecret } = deps;
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  app.addHook('onRequest', requireSettingsVersion(deps.settings));
  addEntityTags(app);
  timelineExportRoutes(app, deps);
  detectionCropRoutes(app, deps);
  datasetRoutes(app, deps);
  monthlyReportRoutes(app, deps);
  dayCardRoutes(app, deps);
  return app;
}
