import { type ChangeHandlers, ChangeListener } from '@birdhub/shared/db';
import type { SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { Logger } from 'pino';
import { SettingsReader } from './settings-reader.js';

/** Dependencies for opening the settings of a process. */
export interface SettingsDeps {
  readonly pool: pg.Pool;
  /** URL of the primary database, where changes are notified. */
  readonly url: string;
  /** Zone of the host, used where the settings name none. */
  readonly hostZone: string;
  readonly log: Logger;
  /** Opens the secrets; without it they read as empty. */
  readonly secrets?: SecretBox;
  /** Further handlers of notices and gaps, called after the cached settings have been dropped. */
  readonly handlers?: Partial<ChangeHandlers>;
}

/** The settings of a process and the listener that keeps them current; closing it stops all watchers too. */
export interface OpenSettings {
  readonly settings: SettingsReader;
  readonly listener: Pick<ChangeListener, 'isListening' | 'close'>;
}

/** Opens the settings of a process; cached settings are dropped when a change notice arrives. */
export function openSettings(deps: SettingsDeps): OpenSettings {
  const { pool, url, hostZone, log, secrets, handlers = {} } = deps;
  const settings = new SettingsReader({ pool, timezone: hostZone, log, secrets });
  const listener = new ChangeListener(
    url,
    {
      onNotice(notice) {
        const isOfSettings = notice.changes.some(({ kind }) => kind === 'settings' || kind === 'everything');
        if (isOfSettings) settings.forget();
        handlers.onNotice?.(notice);
      },
      onGap() {
        settings.forget();
        handlers.onGap?.();
      },
    },
    log,
  );
  const close = async () => {
    await settings.close();
    await listener.close();
  };
  return { settings, listener: { isListening: () => listener.isListening(), close } };
}
