import { execFile } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { LauncherError } from '../launcher-error.js';
import type { Log } from '../log.js';

const run = promisify(execFile);
const name = 'postgres';

/** A user of the system by its numbers. */
export type Account = { readonly uid: number; readonly gid: number };

/**
 * PostgreSQL refuses to run as root: then it runs as the user that owns the data, or else as `postgres`, who
 * is made when missing. Undefined when this process is not root's: PostgreSQL runs as the same user.
 */
export async function findServerAccount(dataDir: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp()) ?? (await create());
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function create(): Promise<Account> {
  const shell = ['--shell', '/usr/sbin/nologin'];
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', ...shell, name]);
  } catch (cause) {
    const message = `PostgreSQL cannot run as root and the user "${name}" could not be made: add it and start again.`;
    throw new LauncherError(message, { cause });
  }
  const account = await lookUp();
  if (account === undefined) throw new LauncherError(`The user "${name}" was made but cannot be found.`);
  return account;
}

/** Lets other users pass through (not list) the folders above a path, where they may not yet. */
export async function openPathAbove(path: string, log: Log): Promise<void> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) !== 0) continue;
    await chmod(folder, (mode & 0o7777) | 0o001);
    log.warn({ folder }, 'folder made passable for the user that runs PostgreSQL');
  }
}
