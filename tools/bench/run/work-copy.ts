import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy of a folder that may be changed. */
export interface WorkCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Deletes the copies of killed runs; the name of a copy contains the pid of its process. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = /^work-(\d+)-/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Copies a folder next to itself, with owners and modes; shares blocks where the file system supports it. */
export async function copyFolder(from: string): Promise<WorkCopy> {
  await sweep(dirname(from));
  const parent = await mkdtemp(join(dirname(from), `work-${process.pid}-`));
  const folder = join(parent, 'data');
  const share = process.platform === 'linux' ? ['--reflink=auto'] : [];
  await run('cp', ['-a', ...share, from, folder]);
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
