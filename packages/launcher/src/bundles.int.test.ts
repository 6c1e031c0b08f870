import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from './bundles.js';

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

  it('bundle newer than all that it is made of, returns it', () => {
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
