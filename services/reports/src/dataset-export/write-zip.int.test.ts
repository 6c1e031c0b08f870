import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readZip } from '../testing/read-zip.js';
import type { DatedFile } from './write-dataset.js';
import { writeZip } from './write-zip.js';

const date = new Date('2026-05-01T10:00:00Z');

async function* pieces() {
  yield Buffer.from('file,class\r\n');
  yield Buffer.from('a.jpg,Great Tit\r\n');
}

describe('writeZip', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-zip-'));
    vi.stubEnv('TMPDIR', folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('files of all kinds, are read back as they were', async () => {
    const picture = randomBytes(300_000);
    async function* files(): AsyncGenerator<DatedFile> {
      yield { name: 'train/Sýkora koňadra/1.jpg', content: picture, date };
      yield { name: 'empty.txt', content: Buffer.alloc(0), date };
      yield { name: 'labels.csv', content: pieces, date };
    }
    const archive = await writeZip(files());
    expect([...readZip(await buffer(archive ?? Readable.from([])))]).toEqual([
      ['train/Sýkora koňadra/1.jpg', picture],
      ['empty.txt', Buffer.alloc(0)],
      ['labels.csv', Buffer.from('file,class\r\na.jpg,Great Tit\r\n')],
    ]);
  });

  it('no files, is no archive', async () => {
    async function* none(): AsyncGenerator<DatedFile> {}
    expect(await writeZip(none())).toBeUndefined();
  });

  it('a reader that leaves before it reads, ends the files', async () => {
    let hasEnded = false;
    async function* endless(): AsyncGenerator<DatedFile> {
      try {
        for (let number = 0; ; number += 1)
          yield { name: `${number}.jpg`, content: Buffer.alloc(100_000), date };
      } finally {
        hasEnded = true;
      }
    }
    const archive = await writeZip(endless());
    archive?.destroy();
    await vi.waitFor(() => expect(hasEnded).toBe(true));
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));
  });

  it('files that fail, fail the archive', async () => {
    async function* failing(): AsyncGenerator<DatedFile> {
      yield { name: '1.jpg', content: Buffer.alloc(200_000), date };
      await turn();
      throw new Error('no more');
    }
    const archive = await writeZip(failing());
    await expect(buffer(archive ?? Readable.from([]))).rejects.toThrow('no more');
  });
});
