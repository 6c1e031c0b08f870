import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** The variable with a folder for temporary files that is not in memory, for tests of disks. */
export const diskFolderVariable = 'TEST_DISK_FOLDER';

/** The file system of Linux in memory. */
const memory = '/dev/shm';
const prefix = 'birdhub-run-';
/** Maximum size of the files of a run. */
const neededBytes = 3 * 1024 ** 3;
/** A run without changes for this time has ended. Its pid is not enough, as it may belong to another container. */
const abandonedAfterMs = 3_600_000;

/**
 * Creates a folder in memory for the temporary files of this test run, which is deleted when the process ends. Also
 * deletes the folders of killed runs. On disk, the databases and recordings of tests take a third of the CPU time.
 * Returns undefined when there is too little memory, or programs cannot be executed there.
 */
export function makeMemoryFolder(): string | undefined {
  if (!isUsable()) return undefined;
  for (const name of readdirSync(memory)) {
    const pid = Number(name.startsWith(prefix) && name.slice(prefix.length).split('-')[0]);
    const path = join(memory, name);
    const isOld = () =>
      (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - abandonedAfterMs;
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
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
