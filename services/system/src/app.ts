import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';

/** What the system application is handed. */
export interface SystemDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
}

/** The system application; only the gateway may call it. */
export function createSystemApp({ internalSecret, ...options }: SystemDeps): HubApp {
  const app = createApp(options);
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  return app;
}
