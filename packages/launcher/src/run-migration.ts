import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './bundles.js';
import { LauncherError } from './launcher-error.js';

/**
 * Migrates the database in a child process, which keeps the database client out of the launcher's memory. Returns the
 * names of the applied migrations.
 * @throws LauncherError with the reason
 */
export async function runMigration(databaseUrl: string, signal?: AbortSignal): Promise<string[]> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const options = signal === undefined ? { env } : { env, signal };
  const { stdout } = await promisify(execFile)(process.execPath, [findProgram('migration')], options);
  const { applied, reason }: { applied?: string[]; reason?: string } = JSON.parse(stdout);
  if (applied) return applied;
  throw new LauncherError(`The database cannot be migrated: ${reason}`);
}
