import { isDeepStrictEqual } from 'node:util';
import { createLoop } from '@birdhub/shared/async';
import type { SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openSecrets } from './sealed-settings.js';
import type { Settings } from './settings-schema.js';
import { withDefaults } from './with-defaults.js';

/** The settings as last read from the database. */
export interface SettingsReader {
  /** The settings now; reads them at first use and again after {@link forget}. */
  current(): Promise<Settings>;
  /** Makes the next read go to the database: someone changed them. Those who watch are told without asking. */
  forget(): void;
  /** {@link forget}, when this version is newer than any that a caller has named before. */
  heed(version: number): void;
  /** Tells of the settings now, and then of each change; answers what ends that. */
  watch(listener: (settings: Settings) => void): () => void;
  /** Ends all watching; resolves when nothing is read for it any more. */
  close(): Promise<void>;
}

/** What a reader works with. */
export interface SettingsReaderOptions {
  readonly pool: pg.Pool;
  /** The zone of the host, which holds where the settings name none. */
  readonly timezone: string;
  readonly log: Logger;
  /** Opens the secrets; without it they read as empty. */
  readonly secrets?: SecretBox | undefined;
  readonly now?: () => number;
  /** How long settings are believed without news, in ms: news may be lost. */
  readonly trustMs?: number;
}

interface Reading {
  readonly version: number;
  readonly settings: Settings;
  /** Why secrets were not opened, by their dotted names. */
  readonly lost: ReadonlyMap<string, unknown>;
}

const readChanged = `SELECT value, version FROM setting WHERE key = 'hub' AND version IS DISTINCT FROM $1`;

/** Reads settings once and keeps them until told otherwise; after half a minute asks whether the version still holds. */
export function createSettingsReader(options: SettingsReaderOptions): SettingsReader {
  const { pool, timezone, log, secrets, now = Date.now, trustMs = 30_000 } = options;
  const reported = new Set<string>();
  const watchers = new Set<(settings: Settings) => void>();
  let kept: { readonly reading: Promise<Reading>; readonly readAt: number } | undefined;
  let heeded = 0;

  async function readOnce(known?: Reading): Promise<Reading> {
    const { rows } = await pool.query<{ value: unknown; version: number }>(readChanged, [known?.version]);
    const [row] = rows;
    if (!row && known) return known;
    const lost = new Map<string, unknown>();
    const opened = openSecrets(row?.value, secrets, (path, error) => lost.set(path.join('.'), error));
    return { version: row?.version ?? 0, settings: withDefaults(opened, timezone), lost };
  }

  function report({ lost }: Reading): void {
    for (const [setting, error] of lost) {
      if (reported.has(setting)) continue;
      reported.add(setting);
      log.error({ err: error, setting }, 'secret not opened, read as empty: set it anew');
    }
  }

  async function read(known?: Reading): Promise<Reading> {
    const first = await readOnce(known);
    if (first === known || first.lost.size === 0) return first;
    // Keys may have been rotated between reading and opening: what is stored now is sealed with one that is here.
    const second = await readOnce();
    report(second);
    return second;
  }

  function ask(isTrusted = kept !== undefined && now() - kept.readAt < trustMs): Promise<Reading> {
    if (kept && isTrusted) return kept.reading;
    const reading = kept ? kept.reading.then(read) : read();
    kept = { reading, readAt: now() };
    reading.catch(() => {
      if (kept?.reading === reading) kept = undefined;
    });
    return reading;
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'settings not read, trying again soon');

  async function tellWatchers(isTrusted?: boolean): Promise<void> {
    const asked = ask(isTrusted);
    const { settings } = await asked;
    if (kept?.reading === asked) for (const hear of watchers) hear(settings);
  }

  const loop = createLoop({
    work: () => tellWatchers(false),
    firstAfterMs: trustMs,
    everyMs: trustMs,
    onError: logFailure,
  });

  function hearOnce(listener: (settings: Settings) => void): (settings: Settings) => void {
    let last: Settings | undefined;
    return (settings) => {
      if (isDeepStrictEqual(settings, last)) return;
      last = settings;
      try {
        listener(settings);
      } catch (error) {
        log.error({ err: error }, 'changed settings not taken over');
      }
    };
  }

  function forget(): void {
    kept = undefined;
    if (watchers.size) tellWatchers().catch(logFailure);
  }

  return {
    current: async () => (await ask()).settings,
    forget,
    heed(version) {
      if (!(version > heeded)) return;
      heeded = version;
      forget();
    },
    watch(listener) {
      const hear = hearOnce(listener);
      watchers.add(hear);
      loop.start();
      tellWatchers().catch(logFailure);
      return () => void watchers.delete(hear);
    },
    close() {
      watchers.clear();
      return loop.stop();
    },
  };
}
