import { type AppOptions, createApp, type HubApp, requireInternal, tagAnswers } from '@birdhub/shared/app';
import type { SettingsReader, SettingsWriter } from '@birdhub/shared/settings';
import { settingsRoutes } from './settings/settings.routes.js';
import { statusRoutes } from './status/status.routes.js';
import type { StatusBoard } from './status/status-board.js';

/** What the system application is handed. */
export interface SystemDeps extends Pick<AppOptions, 'log' | 'metrics'> {
  readonly internalSecret: string | undefined;
  readonly settings: SettingsReader;
  readonly settingsWriter: SettingsWriter;
  readonly status: StatusBoard;
}

/** The system application; only the gateway may call it. */
export function createSystemApp(deps: SystemDeps): HubApp {
  const { internalSecret, log, metrics } = deps;
  const app = createApp({ log, metrics });
  if (internalSecret !== undefined) app.addHook('onRequest', requireInternal(internalSecret));
  tagAnswers(app);
  settingsRoutes(app, deps);
  statusRoutes(app, deps);
  return app;
}
