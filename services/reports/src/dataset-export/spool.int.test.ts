import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { deleteAbandonedSpools } from './spool.js';

afterEach(() => void vi.unstubAllEnvs());

it('spools, two days old, are deleted, and newer ones and other folders are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-spools-'));
  vi.stubEnv('TMPDIR', folder);
  const day = 86_400_000;
  const now = Date.now();
  for (const [name, days] of [
    ['birdhub-dataset-old', 3],
    ['birdhub-dataset-new', 1],
    ['somebody-else', 30],
  ] as const) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'labels.csv'), 'x');
    const at = new Date(now - days * day);
    await utimes(join(folder, name), at, at);
  }
  await deleteAbandonedSpools(now);
  expect((await readdir(folder)).toSorted()).toEqual(['birdhub-dataset-new', 'somebody-else']);
  await rm(folder, { recursive: true });
});
