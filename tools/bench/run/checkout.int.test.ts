import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOut } from './checkout.js';

describe('checkOut', () => {
  let repository: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository });
  async function write(name: string, text: string) {
    await mkdir(dirname(join(repository, name)), { recursive: true });
    await writeFile(join(repository, name), text);
  }

  beforeEach(async () => {
    repository = await mkdtemp(join(tmpdir(), 'birdhub-repository-'));
    const packages = { '': {}, web: {}, 'node_modules/a': {}, 'web/node_modules/b/node_modules/c': {} };
    await write(
      'package-lock.json',
      JSON.stringify({ packages: { ...packages, 'test/node_modules/d': {} } }),
    );
    await write('web/main.ts', 'committed');
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '-qm', 'test');
    await write('web/main.ts', 'changed since');
    await write('node_modules/a/index.js', 'a');
    await write('web/node_modules/b/node_modules/c/index.js', 'c');
  });
  afterEach(() => rm(repository, { recursive: true }));

  it('with packages inside workspaces, checks out the commit with all packages', async () => {
    const checkout = await checkOut(repository, 'HEAD');
    const read = (name: string) => readFile(join(checkout.folder, name), 'utf8');
    expect(await read('web/main.ts')).toBe('committed');
    expect(await read('node_modules/a/index.js')).toBe('a');
    expect(await read('web/node_modules/b/node_modules/c/index.js')).toBe('c');
    await checkout.remove();
    expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
  });
});
