import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy of a folder that may be changed. */
export interface WorkCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies a folder beside itself, with owners and modes; blocks are shared where the file system can do that. */
export async function copyFolder(from: string): Promise<WorkCopy> {
  const parent = await mkdtemp(join(dirname(from), 'work-'));
  const folder = join(parent, 'data');
  const share = process.platform === 'linux' ? ['--reflink=auto'] : [];
  await run('cp', ['-a', ...share, from, folder]);
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
