import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { SettingsReader } from '@birdhub/shared/settings';

/** What the system application is handed. */
export interface SystemDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly settings: SettingsReader;
}

/** The system application; only the gateway may call it. */
export function createSystemApp({ internalSecret, log, metrics }: SystemDeps): HubApp {
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  return app;
}
