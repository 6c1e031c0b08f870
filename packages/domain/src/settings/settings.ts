import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { createLoop } from '@birdhub/shared/async';
import { type ChangeHandlers, type ChangeListener, listenForChanges } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { SecretBox } from '@birdhub/shared/secrets';
import { isTimeZone } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { guessRegion, type Place, REGIONS, type Region } from '../species/region.js';
import { defaultSettings, isGroup, isKnownList, type Settings } from './schema.js';
import { openSecrets } from './secrets.js';

type SettingsListener = (settings: Settings) => void;
type SettingsGroups = readonly (keyof Settings)[];

/** The settings as last read from the database. */
export interface SettingsReader {
  /** Returns the settings, which are read at first use and after {@link forget}. */
  current(): Promise<Settings>;
  /** Drops the cached settings and notifies the watchers of changes. */
  forget(): void;
  /** Calls {@link forget} when the version is newer than all versions required before. */
  requireVersion(version: number): void;
  /**
   * Calls the listener with the current settings and after each change of the groups, or of any without groups. Returns
   * a function that stops it.
   */
  watch(listener: SettingsListener, groups?: SettingsGroups): () => void;
  /** Stops all watchers; resolves when no read is in progress. */
  close(): Promise<void>;
}

/** Dependencies of a reader. */
export interface SettingsReaderDeps {
  readonly pool: pg.Pool;
  /** Zone of the host, used where the settings name none. */
  readonly timezone: string;
  readonly log: Logger;
  /** Opens the secrets; without it they read as empty. */
  readonly secrets?: SecretBox | undefined;
  readonly now?: () => number;
  /** Time after which the version of cached settings is checked again, as notices may be lost. */
  readonly maxAgeMs?: number;
}

interface Reading {
  readonly version: number;
  readonly settings: Settings;
  /** Errors of secrets that could not be opened, by dotted name. */
  readonly unopened: ReadonlyMap<string, unknown>;
}

const readChanged = `SELECT value, version FROM setting WHERE key = 'hub' AND version IS DISTINCT FROM $1`;

/** Reads settings once and keeps them until {@link SettingsReader.forget}; every half a minute checks their version. */
export function createSettingsReader(deps: SettingsReaderDeps): SettingsReader {
  const { pool, timezone, log, secrets, now = Date.now, maxAgeMs = 30_000 } = deps;
  const reported = new Set<string>();
  const watchers = new Set<SettingsListener>();
  let kept: { readonly reading: Promise<Reading>; readonly readAt: number } | undefined;
  let requiredVersion = 0;

  async function readOnce(known?: Reading): Promise<Reading> {
    const { rows } = await pool.query<{ value: unknown; version: number }>(readChanged, [known?.version]);
    const [row] = rows;
    if (!row && known) return known;
    const unopened = new Map<string, unknown>();
    const opened = openSecrets(row?.value, secrets, (path, error) => unopened.set(path.join('.'), error));
    return { version: row?.version ?? 0, settings: withDefaults(opened, timezone), unopened };
  }

  function reportUnopened({ unopened }: Reading): void {
    for (const [setting, error] of unopened) {
      if (reported.has(setting)) continue;
      reported.add(setting);
      log.error({ err: error, setting }, 'secret cannot be decrypted and is read as empty; enter it again');
    }
  }

  async function read(known?: Reading): Promise<Reading> {
    const first = await readOnce(known);
    if (first === known || first.unopened.size === 0) return first;
    // Keys may have been rotated between reading and opening; the current row is sealed with a present key.
    const second = await readOnce();
    reportUnopened(second);
    return second;
  }

  function load(isFresh = kept !== undefined && now() - kept.readAt < maxAgeMs): Promise<Reading> {
    if (kept && isFresh) return kept.reading;
    const reading = kept ? kept.reading.then(read) : read();
    kept = { reading, readAt: now() };
    reading.catch(() => {
      if (kept?.reading === reading) kept = undefined;
    });
    return reading;
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'settings not read, retrying');

  async function updateWatchers(isFresh?: boolean): Promise<void> {
    const reading = load(isFresh);
    const { settings } = await reading;
    if (kept?.reading === reading) for (const watcher of watchers) watcher(settings);
  }

  const loop = createLoop({
    work: () => updateWatchers(false),
    firstAfterMs: maxAgeMs,
    everyMs: maxAgeMs,
    onError: logFailure,
  });

  function callWhenChanged(listener: SettingsListener, groups?: SettingsGroups): SettingsListener {
    let last: Settings | undefined;
    return (settings) => {
      if (last && isSame(settings, last, groups)) return;
      last = settings;
      try {
        listener(settings);
      } catch (error) {
        log.error({ err: error }, 'changed settings not applied');
      }
    };
  }

  function forget(): void {
    kept = undefined;
    if (watchers.size) updateWatchers().catch(logFailure);
  }

  return {
    current: async () => (await load()).settings,
    forget,
    requireVersion(version) {
      if (!(version > requiredVersion)) return;
      requiredVersion = version;
      forget();
    },
    watch(listener, groups) {
      const watcher = callWhenChanged(listener, groups);
      watchers.add(watcher);
      loop.start();
      updateWatchers().catch(logFailure);
      return () => void watchers.delete(watcher);
    },
    close() {
      watchers.clear();
      return loop.stop();
    },
  };
}

function isSame(settings: Settings, last: Settings, groups: SettingsGroups | undefined): boolean {
  if (groups === undefined) return isDeepStrictEqual(settings, last);
  return groups.every((group) => isDeepStrictEqual(settings[group], last[group]));
}

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
  /** Further handlers of notices and gaps, called after the settings were dropped. */
  readonly handlers?: Partial<ChangeHandlers>;
}

/** The settings of a process and the listener that keeps them current; closing it stops all watchers too. */
export interface OpenSettings {
  readonly settings: SettingsReader;
  readonly listener: ChangeListener;
}

/** Opens the settings of a process; cached settings are dropped when a change notice arrives. */
export function openSettings(deps: SettingsDeps): OpenSettings {
  const { pool, url, hostZone, log, secrets, handlers = {} } = deps;
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

/** The part of a request that the hooks below read. */
interface CallerRequest {
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns a Fastify hook: a request is served with settings at least as new as the version in `x-hub-settings`, the
 * newest that the caller has seen.
 */
export function requireSettingsVersion(settings: Pick<SettingsReader, 'requireVersion'>) {
  return ({ headers }: CallerRequest, _reply: unknown, done: () => void): void => {
    settings.requireVersion(Number(headers['x-hub-settings']));
    done();
  };
}

const unlockedCallers: readonly unknown[] = ['reader', 'contributor', 'admin'];

/**
 * Requires an unlocked caller for recordings and full frames, if the settings demand it.
 * @throws HubError unlock_required
 */
export function requireUnlocked({ headers }: CallerRequest, { general }: Settings): void {
  const stored: Record<string, unknown> = general;
  if (stored['require_auth_for_video_stream'] !== true) return;
  if (!unlockedCallers.includes(headers['x-hub-caller'])) throw new HubError('unlock_required');
}

/** Returns the stored settings merged over the defaults, group by group. */
export function layOverDefaults(stored: unknown, timezone: string): Settings {
  const defaults: Record<string, unknown> = defaultSettings(timezone);
  if (!isGroup(stored)) return defaults as Settings;
  const merged: Record<string, unknown> = { ...stored };
  for (const [group, values] of Object.entries(defaults)) {
    const own = stored[group];
    if (isKnownList([group])) merged[group] = Array.isArray(own) ? own : values;
    else merged[group] = isGroup(own) && isGroup(values) ? { ...values, ...own } : values;
  }
  return merged as Settings;
}

/**
 * Returns the effective settings: the stored ones merged over the defaults, with `timezone` unless a valid zone is
 * stored, and a guessed region unless one is stored.
 */
export function withDefaults(stored: unknown, timezone: string): Settings {
  const settings = layOverDefaults(stored, timezone);
  const own: unknown = settings.general.timezone;
  const zone = typeof own === 'string' && isTimeZone(own) ? own : timezone;
  const region = storedRegion(stored) ?? guessRegion({ ...storedPlace(stored), timezone: zone });
  return { ...settings, general: { ...settings.general, timezone: zone, region } };
}

function storedRegion(stored: unknown): Region | undefined {
  const general = isGroup(stored) ? stored['general'] : undefined;
  const own = isGroup(general) ? general['region'] : undefined;
  return REGIONS.find((region) => region === own);
}

/** Returns the location of the hub as far as it was set explicitly. */
function storedPlace(stored: unknown): Place {
  const textOf = (group: string, key: string) => {
    const values = isGroup(stored) ? stored[group] : undefined;
    const value = isGroup(values) ? values[key] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  return {
    latitude: textOf('secrets', 'latitude'),
    longitude: textOf('secrets', 'longitude'),
    country: textOf('ebird', 'country'),
  };
}
