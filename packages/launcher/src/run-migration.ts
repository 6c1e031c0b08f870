import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './bundles.js';
import { LauncherError } from './launcher-error.js';

/**
 * Brings the database up to date in a process of its own: the database client stays out of the launcher's
 * memory, which lasts as long as the hub runs. Returns the names of the migrations that were applied.
 * @throws LauncherError with what the database said, or why it is not reached
 */
export async function runMigration(databaseUrl: string, signal?: AbortSignal): Promise<string[]> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const options = signal === undefined ? { env } : { env, signal };
  const { stdout } = await promisify(execFile)(process.execPath, [findProgram('migration')], options);
  const { applied, reason }: { applied?: string[]; reason?: string } = JSON.parse(stdout);
  if (applied) return applied;
  throw new LauncherError(`The database cannot be brought up to date: ${reason}`);
}
