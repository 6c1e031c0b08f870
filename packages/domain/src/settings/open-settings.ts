import { type ChangeHandlers, type ChangeListener, listenForChanges } from '@birdhub/shared/db';
import type { SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createSettingsReader, type SettingsReader } from './settings-reader.js';

/** What the settings of a process are read with. */
export interface SettingsSource {
  readonly pool: pg.Pool;
  /** The primary database, where the bell notices. */
  readonly url: string;
  /** The zone of the host, which holds where the settings name none. */
  readonly hostZone: string;
  readonly log: Logger;
  /** Opens the secrets; without it they read as empty. */
  readonly secrets?: SecretBox;
  /** What else this process does on a notice or a gap; the settings are forgotten before. */
  readonly handlers?: Partial<ChangeHandlers>;
}

/** The settings of a process, and the ear that keeps them true; closing it ends all watching too. */
export interface OpenSettings {
  readonly settings: SettingsReader;
  readonly listener: ChangeListener;
}

/** Reads settings, and forgets them as soon as the bell says that they changed. */
export function openSettings(source: SettingsSource): OpenSettings {
  const { pool, url, hostZone, log, secrets, handlers = {} } = source;
  const settings = createSettingsReader({ pool, timezone: hostZone, log, secrets });
  const listener = listenForChanges(
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
  return { settings, listener: { isListening: listener.isListening, close } };
}
