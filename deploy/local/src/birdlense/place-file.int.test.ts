import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeFile, type Trees } from './place-file.js';

const memory = '/dev/shm';
const hasOtherDisk = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

let trees: Trees;
function makeTrees(disk: string): void {
  trees = {
    from: mkdtempSync(join(disk, 'birdhub-from-')),
    recordingsDir: mkdtempSync(join(tmpdir(), 'birdhub-to-')),
  };
  writeFileSync(join(trees.from, 'film.mp4'), 'film');
  utimesSync(join(trees.from, 'film.mp4'), 1_700_000_000, 1_700_000_000);
}

beforeEach(() => makeTrees(tmpdir()));
afterEach(() => {
  for (const folder of Object.values(trees)) rmSync(folder, { recursive: true });
});

describe('placeFile', () => {
  it.skipIf(!hasOtherDisk)(
    'a file of another disk, is a copy of the same age and nothing beside it',
    async () => {
      for (const folder of Object.values(trees)) rmSync(folder, { recursive: true });
      makeTrees(memory);
      expect(await placeFile(trees, 'data/recordings/film.mp4')).toEqual({ state: 'taken', sizeBytes: 4 });
      const copy = statSync(join(trees.recordingsDir, 'film.mp4'));
      expect([copy.nlink, copy.mtimeMs]).toEqual([1, 1_700_000_000_000]);
      expect(readdirSync(trees.recordingsDir)).toEqual(['film.mp4']);
    },
  );

  it('a symbolic link, is taken as the file that it leads to', async () => {
    symlinkSync('film.mp4', join(trees.from, 'link.mp4'));
    expect(await placeFile(trees, 'link.mp4')).toEqual({ state: 'taken', sizeBytes: 4 });
    expect(statSync(join(trees.recordingsDir, 'link.mp4')).ino).toBe(
      statSync(join(trees.from, 'film.mp4')).ino,
    );
  });

  it('a folder of that name, is no file', async () => {
    mkdirSync(join(trees.from, 'folder.mp4'));
    expect(await placeFile(trees, 'folder.mp4')).toEqual({ state: 'missing' });
  });

  it('the same again, is there', async () => {
    await placeFile(trees, 'film.mp4');
    expect(await placeFile(trees, 'film.mp4')).toEqual({ state: 'there', sizeBytes: 4 });
  });
});
