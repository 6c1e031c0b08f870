import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** The variable with a folder for temporary files that is not in memory, for tests of disks. */
export const diskFolderVariable = 'TEST_DISK_FOLDER';

/** A file system in memory, which Linux has. */
const memory = '/dev/shm';
const prefix = 'birdhub-run-';
/** What the files of a run may come to. */
const neededBytes = 3 * 1024 ** 3;
/** A run that changed nothing for so long has ended; one in another container may have a pid that is unknown here. */
const leftAfterMs = 3_600_000;

/**
 * Makes a folder in memory for the temporary files of this test run, and removes it when the process ends, with those
 * that killed runs have left. On disk the databases and recordings of tests cost a third of their processor time.
 * Returns undefined where there is too little memory, or programs in it could not be run.
 */
export function makeMemoryFolder(): string | undefined {
  if (!isUsable()) return undefined;
  for (const name of readdirSync(memory)) {
    const pid = Number(name.startsWith(prefix) && name.slice(prefix.length).split('-')[0]);
    const path = join(memory, name);
    const isOld = () => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - leftAfterMs;
    if (pid > 0 && !isAlive(pid) && isOld()) removeLeftover(path);
  }
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // PostgreSQL and some services under test run as other users.
  chmodSync(folder, 0o1777);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Removes the folder of a killed run, which may have left disks of its tests mounted in it. */
function removeLeftover(path: string): void {
  const mounted = mounts().flatMap(([, where = '']) => (where.startsWith(`${path}/`) ? [where] : []));
  for (const where of mounted) spawnSync('umount', ['--lazy', where]);
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${path} of an earlier test run cannot be removed: ${(error as Error).message}`);
  }
}

function isUsable(): boolean {
  try {
    const [, , , options = ''] = mounts().find(([, where]) => where === memory) ?? [];
    const { bavail, bsize } = statfsSync(memory);
    const isRoomy = bavail * bsize >= neededBytes && freemem() >= 2 * neededBytes;
    return options.startsWith('rw') && !options.split(',').includes('noexec') && isRoomy;
  } catch {
    return false;
  }
}

const mounts = () =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is that of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
