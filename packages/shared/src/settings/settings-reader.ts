import type pg from 'pg';
import type { Settings } from './settings-schema.js';
import { withDefaults } from './with-defaults.js';

/** The settings as last read from the database. */
export interface SettingsReader {
  /** The settings now; reads them at first use and again after {@link forget}. */
  current(): Promise<Settings>;
  /** Makes the next read go to the database: someone changed them. */
  forget(): void;
}

const longestTrustMs = 30_000;

/** Reads settings once and keeps them until told otherwise, at most half a minute should the news be lost. */
export function createSettingsReader(
  pool: pg.Pool,
  timezone: string,
  now: () => number = Date.now,
): SettingsReader {
  let kept: { settings: Promise<Settings>; readAt: number } | undefined;

  async function read(): Promise<Settings> {
    const { rows } = await pool.query<{ value: unknown }>(`SELECT value FROM setting WHERE key = 'hub'`);
    return withDefaults(rows[0]?.value, timezone);
  }

  const forget = () => {
    kept = undefined;
  };

  return {
    forget,
    async current() {
      if (!kept || now() - kept.readAt > longestTrustMs) kept = { settings: read(), readAt: now() };
      try {
        return await kept.settings;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
