import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { createLoop, type Loop } from '@birdhub/shared/async';
import type { SecretBox } from '@birdhub/shared/secrets';
import type pg from 'pg';
import type { Logger } from 'pino';
import { withDefaults } from './effective-settings.js';
import type { Settings } from './schema.js';
import { openSecrets } from './secrets.js';

type SettingsListener = (settings: Settings) => void;
type SettingsGroups = readonly (keyof Settings)[];

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

/** Caches the settings until {@link SettingsReader.forget}, and checks their version every half minute. */
export class SettingsReader {
  readonly #deps: SettingsReaderDeps;
  readonly #now: () => number;
  readonly #maxAgeMs: number;
  readonly #watchers = new Set<SettingsListener>();
  readonly #versionCheck: Loop;
  /** Secrets whose errors were logged. */
  readonly #reported = new Set<string>();
  #cached: { readonly reading: Promise<Reading>; readonly readAt: number } | undefined;
  #requiredVersion = 0;

  constructor(deps: SettingsReaderDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#maxAgeMs = deps.maxAgeMs ?? 30_000;
    this.#versionCheck = createLoop({
      work: () => this.#updateWatchers(false),
      firstAfterMs: this.#maxAgeMs,
      everyMs: this.#maxAgeMs,
      onError: (error) => this.#logFailure(error),
    });
  }

  /** Returns the settings, which are read on first use and after {@link forget}. */
  async current(): Promise<Settings> {
    return (await this.#load()).settings;
  }

  /** Drops the cached settings and notifies the watchers of changes. */
  forget(): void {
    this.#cached = undefined;
    if (this.#watchers.size) this.#updateWatchers().catch((error) => this.#logFailure(error));
  }

  /** Calls {@link forget} when the version is newer than all previously required ones. */
  requireVersion(version: number): void {
    if (!(version > this.#requiredVersion)) return;
    this.#requiredVersion = version;
    this.forget();
  }

  /**
   * Calls the listener with the current settings, and again after each change of the given groups, or of any group by
   * default. Returns a function that stops it.
   */
  watch(listener: SettingsListener, groups?: SettingsGroups): () => void {
    const watcher = this.#callWhenChanged(listener, groups);
    this.#watchers.add(watcher);
    this.#versionCheck.start();
    this.#updateWatchers().catch((error) => this.#logFailure(error));
    return () => void this.#watchers.delete(watcher);
  }

  /** Stops all watchers; resolves when no read is in flight. */
  close(): Promise<void> {
    this.#watchers.clear();
    return this.#versionCheck.stop();
  }

  #load(isFresh = this.#isFresh()): Promise<Reading> {
    const cached = this.#cached;
    if (cached && isFresh) return cached.reading;
    const reading = cached ? cached.reading.then((known) => this.#read(known)) : this.#read();
    this.#cached = { reading, readAt: this.#now() };
    reading.catch(() => {
      if (this.#cached?.reading === reading) this.#cached = undefined;
    });
    return reading;
  }

  #isFresh(): boolean {
    return this.#cached !== undefined && this.#now() - this.#cached.readAt < this.#maxAgeMs;
  }

  async #read(known?: Reading): Promise<Reading> {
    const first = await this.#readOnce(known);
    if (first === known || first.unopened.size === 0) return first;
    // The keys may have been rotated since the row was read; the current row is sealed with an existing key.
    const second = await this.#readOnce();
    this.#reportUnopened(second);
    return second;
  }

  async #readOnce(known?: Reading): Promise<Reading> {
    const { pool, timezone, secrets } = this.#deps;
    const { rows } = await pool.query<{ value: unknown; version: number }>(readChanged, [known?.version]);
    const [row] = rows;
    if (!row && known) return known;
    const unopened = new Map<string, unknown>();
    const opened = openSecrets(row?.value, secrets, (path, error) => unopened.set(path.join('.'), error));
    return { version: row?.version ?? 0, settings: withDefaults(opened, timezone), unopened };
  }

  #reportUnopened({ unopened }: Reading): void {
    for (const [setting, error] of unopened) {
      if (this.#reported.has(setting)) continue;
      this.#reported.add(setting);
      this.#deps.log.error(
        { err: error, setting },
        'secret cannot be decrypted and is read as empty; enter it again',
      );
    }
  }

  async #updateWatchers(isFresh?: boolean): Promise<void> {
    const reading = this.#load(isFresh);
    const { settings } = await reading;
    if (this.#cached?.reading === reading) for (const watcher of this.#watchers) watcher(settings);
  }

  #callWhenChanged(listener: SettingsListener, groups?: SettingsGroups): SettingsListener {
    let last: Settings | undefined;
    return (settings) => {
      if (last && isSame(settings, last, groups)) return;
      last = settings;
      try {
        listener(settings);
      } catch (error) {
        this.#deps.log.error({ err: error }, 'changed settings not applied');
      }
    };
  }

  #logFailure(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'settings not read, retrying');
  }
}

function isSame(settings: Settings, last: Settings, groups: SettingsGroups | undefined): boolean {
  if (groups === undefined) return isDeepStrictEqual(settings, last);
  return groups.every((group) => isDeepStrictEqual(settings[group], last[group]));
}

/** The part of a request that the hook below reads. */
interface CallerRequest {
  readonly headers: IncomingHttpHeaders;
}

/**
 * Returns a Fastify hook that ensures that a request is served with settings at least as new as the version in
 * `x-hub-settings`, the newest one known to the caller.
 */
export function requireSettingsVersion(settings: Pick<SettingsReader, 'requireVersion'>) {
  return ({ headers }: CallerRequest, _reply: unknown, done: () => void): void => {
    settings.requireVersion(Number(headers['x-hub-settings']));
    done();
  };
}
