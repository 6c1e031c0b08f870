import { type AppOptions, createApp, type HubApp, requireInternal } from '@birdhub/shared/app';
import type { SettingsReader } from '@birdhub/shared/settings';
import { statusRoutes } from './status/status.routes.js';
import type { StatusBoard } from './status/status-board.js';

/** What the system application is handed. */
export interface SystemDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly settings: SettingsReader;
  readonly status: StatusBoard;
}

/** The system application; only the gateway may call it. */
export function createSystemApp(deps: SystemDeps): HubApp {
  const { internalSecret, log, metrics } = deps;
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  statusRoutes(app, deps);
  return app;
}
