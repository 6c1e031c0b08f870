import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account, PostgresBinaries } from './postgres-binaries.js';

const run = promisify(execFile);

/** The data folder of a PostgreSQL, its programs and the user that it runs as. */
export type Cluster = {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
};

/** The superuser and the hub's database have the same name. */
export const databaseName = 'birdhub';

// Character rules of Unicode, sorted by code point: the same on every system and fast, with no ICU or libc.
const initOptions = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  // Nothing connects over a network; so initdb needs no file with the password, which its user could not reach.
  '--auth-local=scram-sha-256',
  '--auth-host=reject',
  `--username=${databaseName}`,
  '--no-instructions',
];

/**
 * How a server's own user finds its data. Another user than this process' need not be allowed to pass the folders
 * above: it is started inside the data folder and stays there. Only Linux has a name for that.
 */
export function placeOf({ dataDir, account }: Omit<Cluster, 'binaries'>): { dataDir: string; cwd: string } {
  if (account === undefined || process.platform !== 'linux') return { dataDir, cwd: '/' };
  return { dataDir: '/proc/self/cwd', cwd: dataDir };
}

export function isCreated({ dataDir }: Cluster): boolean {
  return existsSync(join(dataDir, 'PG_VERSION'));
}

/** Makes the data folder and in it the hub's database: aside, then renamed, so that half a cluster is never found. */
export async function createCluster(cluster: Cluster, password: string): Promise<void> {
  const { dataDir, binaries, account } = cluster;
  const draft = { binaries, account, dataDir: `${dataDir}.new` };
  await rm(draft.dataDir, { recursive: true, force: true });
  await mkdir(draft.dataDir, { mode: 0o700 });
  if (account !== undefined) await chown(draft.dataDir, account.uid, account.gid);
  const place = placeOf(draft);
  await run(binaries.initdb, [...initOptions, `--pgdata=${place.dataDir}`], { ...account, cwd: place.cwd });
  await changePassword(draft, password);
  await runAlone(draft, `CREATE DATABASE ${databaseName}`);
  await rename(draft.dataDir, dataDir);
}

/** Gives the superuser a new password, for when the file that held the old one is lost. */
export async function changePassword(cluster: Cluster, password: string): Promise<void> {
  await runAlone(cluster, `ALTER USER ${databaseName} PASSWORD '${password}'`);
}

/** Runs one statement on a cluster that is not running: no port, no password. */
async function runAlone(cluster: Cluster, statement: string): Promise<void> {
  const { binaries, account } = cluster;
  const { dataDir, cwd } = placeOf(cluster);
  const args = ['--single', '-D', dataDir, '-c', 'exit_on_error=on', 'postgres'];
  const child = spawn(binaries.postgres, args, { ...account, cwd, stdio: ['pipe', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end(`${statement}\n`);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`PostgreSQL refused to run alone: ${output.trim()}`);
}
