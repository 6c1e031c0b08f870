import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { LauncherError } from '../launcher-error.js';

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

/** Whether an account may pass through every folder above a path, by their modes. */
export async function canReach(path: string, { uid, gid }: Account): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const search = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
