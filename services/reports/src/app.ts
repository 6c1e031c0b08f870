import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';

/** What the reports application is handed. */
export interface ReportsDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
}

/** The reports application; only the gateway may call it. */
export function createReportsApp({ internalSecret, ...options }: ReportsDeps): HubApp {
  const app = createApp(options);
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  return app;
}
