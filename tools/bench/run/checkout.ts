import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A commit in its own folder. */
export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Returns the `node_modules` folders of the root and of workspaces. */
async function listPackageFolders(repository: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'));
  const folders = Object.keys(packages).map((path) => /^.*?node_modules(?=\/)/.exec(path)?.[0] ?? '');
  return [...new Set(folders)].filter((folder) => folder && existsSync(join(repository, folder)));
}

/**
 * Checks a commit out into a temporary worktree with the packages that are installed here. Its set-up installs missing
 * packages and builds it.
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
    for (const packages of await listPackageFolders(repository))
      await run('cp', ['-a', join(repository, packages), join(folder, packages)]);
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs the set-up of a checkout. */
export async function setUp(folder: string): Promise<void> {
  await run(process.execPath, ['packages/launcher/setup.mjs'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}
