import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A commit in a folder of its own. */
export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Checks a commit out into a temporary worktree, with the packages that are installed here: what it needs beyond
 * them, and everything that is built, it makes itself when it is set up.
 */
export async function checkOut(repository: string, revision: string): Promise<Checkout> {
  const parent = await mkdtemp(join(tmpdir(), 'birdhub-checkout-'));
  const folder = join(parent, 'hub');
  await run('git', ['worktree', 'add', '--detach', folder, revision], { cwd: repository });
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: repository });
    await rm(parent, { recursive: true, force: true });
  };
  try {
    const packages = join(repository, 'node_modules');
    if (existsSync(packages)) await run('cp', ['-a', packages, join(folder, 'node_modules')]);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Installs and builds a checkout, as its own launcher does. */
export async function setUp(folder: string): Promise<void> {
  await run(process.execPath, ['deploy/local/setup.mjs'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}
