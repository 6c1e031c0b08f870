import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
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
    'a file on another disk, is copied with its modification time, without leftovers',
    async () => {
      for (const folder of Object.values(trees)) rmSync(folder, { recursive: true });
      makeTrees(memory);
      expect(await placeFile(trees, 'data/recordings/film.mp4')).toEqual({ state: 'imported', sizeBytes: 4 });
      const copy = statSync(join(trees.recordingsDir, 'film.mp4'));
      expect([copy.nlink, copy.mtimeMs]).toEqual([1, 1_700_000_000_000]);
      expect(readdirSync(trees.recordingsDir)).toEqual(['film.mp4']);
    },
  );

  it('a symbolic link, places the file that it points to', async () => {
    symlinkSync('film.mp4', join(trees.from, 'link.mp4'));
    expect(await placeFile(trees, 'link.mp4')).toEqual({ state: 'imported', sizeBytes: 4 });
    expect(statSync(join(trees.recordingsDir, 'link.mp4')).ino).toBe(
      statSync(join(trees.from, 'film.mp4')).ino,
    );
  });

  describe('with a file outside of the folder', () => {
    let outside: string;
    const taken = () => readdirSync(trees.recordingsDir, { recursive: true });
    beforeEach(() => {
      outside = mkdtempSync(join(tmpdir(), 'birdhub-outside-'));
      writeFileSync(join(outside, 'secret.mp4'), 'secret');
    });
    afterEach(() => rmSync(outside, { recursive: true }));

    it.each([
      ['an absolute link', () => symlinkSync(join(outside, 'secret.mp4'), join(trees.from, 'secret.mp4'))],
      [
        'a relative link',
        () => symlinkSync(relative(trees.from, join(outside, 'secret.mp4')), join(trees.from, 'secret.mp4')),
      ],
      [
        'a link to a link',
        () => {
          symlinkSync(join(outside, 'secret.mp4'), join(trees.from, 'inner.mp4'));
          symlinkSync('inner.mp4', join(trees.from, 'secret.mp4'));
        },
      ],
    ])('%s, is refused and places nothing', async (_, makeLink) => {
      makeLink();
      expect(await placeFile(trees, 'data/recordings/secret.mp4')).toEqual({ state: 'outside' });
      expect(taken()).toEqual([]);
    });

    it('a linked folder in its path, is refused and places nothing', async () => {
      symlinkSync(outside, join(trees.from, 'north'));
      expect(await placeFile(trees, 'data/recordings/north/secret.mp4')).toEqual({ state: 'outside' });
      expect(taken()).toEqual([]);
    });

    it('a folder whose name starts with the name of the source folder, counts as outside', async () => {
      const beside = `${trees.from}-beside`;
      mkdirSync(beside);
      writeFileSync(join(beside, 'film.mp4'), 'secret');
      symlinkSync(join(beside, 'film.mp4'), join(trees.from, 'secret.mp4'));
      expect(await placeFile(trees, 'secret.mp4').finally(() => rmSync(beside, { recursive: true }))).toEqual(
        {
          state: 'outside',
        },
      );
    });

    it('a dangling link, is missing', async () => {
      symlinkSync(join(outside, 'gone.mp4'), join(trees.from, 'gone.mp4'));
      expect(await placeFile(trees, 'gone.mp4')).toEqual({ state: 'missing' });
    });

    it('the recordings folder as its own source, still refuses a link to the outside', async () => {
      symlinkSync(join(outside, 'secret.mp4'), join(trees.recordingsDir, 'secret.mp4'));
      const itself = { from: trees.recordingsDir, recordingsDir: trees.recordingsDir };
      expect(await placeFile(itself, 'data/recordings/secret.mp4')).toEqual({ state: 'outside' });
    });

    it('a linked folder in the target path, is refused and nothing is written through it', async () => {
      symlinkSync(outside, join(trees.recordingsDir, 'north'));
      mkdirSync(join(trees.from, 'north'));
      writeFileSync(join(trees.from, 'north/film.mp4'), 'film');
      expect(await placeFile(trees, 'data/recordings/north/film.mp4')).toEqual({ state: 'outside' });
      expect(readdirSync(outside)).toEqual(['secret.mp4']);
    });

    it('a link to the outside at the target path, is replaced by the file', async () => {
      symlinkSync(join(outside, 'secret.mp4'), join(trees.recordingsDir, 'film.mp4'));
      expect(await placeFile(trees, 'film.mp4')).toEqual({ state: 'imported', sizeBytes: 4 });
      expect(readFileSync(join(trees.recordingsDir, 'film.mp4'), 'utf8')).toBe('film');
      expect(readFileSync(join(outside, 'secret.mp4'), 'utf8')).toBe('secret');
    });
  });

  it('a source folder given as a link, is resolved', async () => {
    const named = `${trees.from}-link`;
    symlinkSync(trees.from, named);
    const placed = await placeFile({ ...trees, from: named }, 'film.mp4').finally(() => rmSync(named));
    expect(placed).toEqual({ state: 'imported', sizeBytes: 4 });
    expect(readdirSync(trees.recordingsDir)).toEqual(['film.mp4']);
  });

  it('a named pipe, is missing and not waited for', async () => {
    await promisify(execFile)('mkfifo', [join(trees.from, 'pipe.mp4')]);
    expect(await placeFile(trees, 'pipe.mp4')).toEqual({ state: 'missing' });
  });

  it('a folder in place of the file, is missing', async () => {
    mkdirSync(join(trees.from, 'folder.mp4'));
    expect(await placeFile(trees, 'folder.mp4')).toEqual({ state: 'missing' });
  });

  it('the same file a second time, is already there', async () => {
    await placeFile(trees, 'film.mp4');
    expect(await placeFile(trees, 'film.mp4')).toEqual({ state: 'already present', sizeBytes: 4 });
  });
});
