import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAtomically } from './media-videos.js';

it('two writers of a file at once, both succeed and leave one whole file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-atomic-'));
  const path = join(folder, 'poster.jpg');
  const contents = ['a', 'b'].map((letter) => Buffer.alloc(1_000_000, letter));
  try {
    await Promise.all(contents.map((bytes) => writeAtomically(path, bytes)));
    const written = await readFile(path);
    expect(contents.some((bytes) => bytes.equals(written))).toBe(true);
    expect(await readdir(folder)).toEqual(['poster.jpg']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
