import type { PictureRequests } from '@birdhub/domain/media';
import { heedCallers, type SettingsReader } from '@birdhub/domain/settings';
import { type AppOptions, createApp, type HubApp, requireInternal, tagAnswers } from '@birdhub/shared/app';
import { createLimiter } from '@birdhub/shared/async';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import { datasetExportRoutes } from './dataset-export/dataset-export.routes.js';
import { datasetPreviewRoutes } from './dataset-export/dataset-preview.routes.js';
import type { Crops } from './detection-crop/crops.js';
import { detectionCropRoutes } from './detection-crop/detection-crop.routes.js';
import type { ExportPlaces } from './export-places.js';
import { monthlyReportRoutes } from './monthly-report/monthly-report.routes.js';
import type { ReportMaker } from './monthly-report/report-maker.js';
import { timelineExportRoutes } from './timeline-export/timeline-export.routes.js';

/** What the reports application is handed. */
export interface ReportsDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly readPool: pg.Pool;
  readonly settings: SettingsReader;
  readonly crops: Crops;
  readonly pictures: PictureRequests;
  readonly reports: ReportMaker;
  readonly exportPlaces: ExportPlaces;
  readonly clock: Clock;
}

const countingLimits = { max: 2, maxWaiting: 16, waitTimeoutMs: 15_000 };

/** The reports application; only the gateway may call it. */
export function createReportsApp(dependencies: ReportsDeps): HubApp {
  const { log, metrics, internalSecret } = dependencies;
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  app.addHook('onRequest', heedCallers(dependencies.settings));
  tagAnswers(app);
  timelineExportRoutes(app, dependencies);
  detectionCropRoutes(app, dependencies);
  // Counting reads as much as an export does, but no reader can hold it up.
  const counting = createLimiter(countingLimits);
  datasetExportRoutes(app, { ...dependencies, counting });
  datasetPreviewRoutes(app, { ...dependencies, counting });
  monthlyReportRoutes(app, dependencies);
  return app;
}
