import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundlePrograms, findProgram } from './bundles.js';
import { serviceNames } from './service-addresses.js';

describe('findProgram', () => {
  let root = '';

  async function write(file: string, minute: number): Promise<void> {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), '');
    await utimes(join(root, file), minute * 60, minute * 60);
  }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'birdhub-bundles-'));
    await write('node_modules/.package-lock.json', 1);
    await write('packages/shared/dist/.tsbuildinfo', 2);
    await write('services/query/dist/.tsbuildinfo', 2);
    await write('services/query/dist/main.bundle.js', 3);
  });
  afterEach(() => rm(root, { recursive: true }));

  it('with an up-to-date bundle, returns the bundle', () => {
    expect(findProgram('query', root)).toBe(join(root, 'services/query/dist/main.bundle.js'));
  });

  it.each(['packages/shared/dist/.tsbuildinfo', 'node_modules/.package-lock.json'])(
    'with a newer %s, returns the compiled module',
    async (file) => {
      await write(file, 4);
      expect(findProgram('query', root)).toBe(join(root, 'services/query/dist/main.js'));
    },
  );

  it('without a bundle, returns the compiled module', () => {
    expect(findProgram('ingest', root)).toBe(join(root, 'services/ingest/dist/main.js'));
  });
});

/** Returns the commands of the child processes of this one. */
function listChildren(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')),
  );
}

describe.skipIf(process.platform !== 'linux')('bundlePrograms', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'birdhub-bundles-'));
    const programs = ['packages/launcher/dist/single-process.js', 'packages/launcher/dist/migration.js'];
    for (const file of [...programs, ...serviceNames.map((name) => `services/${name}/dist/main.js`)]) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await writeFile(join(root, file), 'console.log("started");');
    }
  });
  afterEach(() => rm(root, { recursive: true }));

  it('new programs, are bundled, and the bundler process ends', async () => {
    await bundlePrograms(root);
    expect(existsSync(join(root, 'services/query/dist/main.bundle.js'))).toBe(true);
    // It ends a moment after it is stopped.
    await vi.waitFor(() =>
      expect(listChildren().filter((command) => command.includes('esbuild'))).toEqual([]),
    );
  });

  it('a program with other characters than ASCII, is bundled as ASCII and matches them', async () => {
    const program = "console.log(/[–]$/.test('a–'), /^🐦$/u.test('🐦'));";
    await writeFile(join(root, 'services/query/dist/main.js'), program);
    await bundlePrograms(root);
    const bundle = findProgram('query', root);
    expect(readFileSync(bundle, 'utf8')).not.toMatch(/[^\0-\x7f]/);
    expect(execFileSync(process.execPath, [bundle], { encoding: 'utf8' })).toBe('true true\n');
  });
});
