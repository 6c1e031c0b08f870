import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readZip } from '../testing/read-zip.js';

import { type ArchiveFile, writeZip } from './write-zip.js';

const wholeOf = async (archive: AsyncIterable<Buffer> | undefined) => {
  const pieces: Buffer[] = [];
  for await (const piece of archive ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
};

const date = new Date('2026-05-01T10:00:30Z');

async function* pieces() {
  yield Buffer.from('file,class\r\n');
  yield Buffer.from('a.jpg,Great Tit\r\n');
}

describe('writeZip', () => {
  it('files of all kinds, read back, are unchanged', async () => {
    const given: [name: string, content: Buffer][] = [
      ['train/Sýkora koňadra/1.jpg', randomBytes(300_000)],
      ['empty.txt', Buffer.alloc(0)],
      ['large.jpg', randomBytes(3_000_000)],
      ['labels.csv', Buffer.from('file,class\r\na.jpg,Great Tit\r\n')],
      ['none.csv', Buffer.alloc(0)],
      ['last.json', Buffer.from('{}')],
    ];
    const inPieces: Record<string, () => AsyncGenerator<Buffer>> = {
      'labels.csv': pieces,
      'none.csv': async function* () {},
    };
    async function* files(): AsyncGenerator<ArchiveFile> {
      for (const [name, content] of given) yield { name, content: inPieces[name] ?? content, date };
    }
    const read = [...readZip(await wholeOf(await writeZip(files())))];
    expect(read.map(([name]) => name)).toEqual(given.map(([name]) => name));
    for (const [at, [name, content]] of given.entries())
      expect(read[at]?.[1].equals(content), name).toBe(true);
  });

  it('a picture, is stored uncompressed, with its length and checksum before it', async () => {
    async function* files(): AsyncGenerator<ArchiveFile> {
      yield { name: 'a.jpg', content: Buffer.from('picture'), date };
    }
    const archive = await wholeOf(await writeZip(files()));
    const usesDescriptor = (archive.readUInt16LE(6) & 0x08) !== 0;
    expect([usesDescriptor, archive.readUInt16LE(8), archive.readUInt32LE(22)]).toEqual([false, 0, 7]);
    expect(archive.subarray(30, 42).toString()).toBe('a.jpgpicture');
  });

  it('no files, are refused', async () => {
    async function* none(): AsyncGenerator<ArchiveFile> {}
    await expect(writeZip(none())).rejects.toMatchObject({ code: 'dataset_empty' });
  });

  it('a reader that leaves before it reads, ends the files', async () => {
    let hasEnded = false;
    async function* endless(): AsyncGenerator<ArchiveFile> {
      try {
        for (let number = 0; ; number += 1)
          yield { name: `${number}.jpg`, content: Buffer.alloc(100_000), date };
      } finally {
        hasEnded = true;
      }
    }
    const archive = await writeZip(endless());
    await archive?.[Symbol.asyncIterator]().return?.();
    await vi.waitFor(() => expect(hasEnded).toBe(true));
  });

  it('files that fail later, fail the archive', async () => {
    async function* failing(): AsyncGenerator<ArchiveFile> {
      for (let number = 0; number < 20; number += 1)
        yield { name: `${number}.jpg`, content: Buffer.alloc(200_000), date };
      await turn();
      throw new Error('no more');
    }
    const archive = await writeZip(failing());
    await expect(wholeOf(archive)).rejects.toThrow('no more');
  });

  it('a long file that fails in the middle, fails the archive', async () => {
    async function* failing(): AsyncGenerator<ArchiveFile> {
      yield { name: '1.jpg', content: Buffer.alloc(600_000), date };
      const content = async function* () {
        for (let piece = 0; piece < 20; piece += 1) yield Buffer.alloc(64_000, 'row');
        throw new Error('the disk is gone');
      };
      yield { name: 'labels.csv', content, date };
    }
    const archive = await writeZip(failing());
    await expect(wholeOf(archive)).rejects.toThrow('the disk is gone');
  });

  it('a file that an archive cannot hold, fails the archive', async () => {
    async function* nameless(): AsyncGenerator<ArchiveFile> {
      yield { name: '', content: Buffer.alloc(300_000), date };
    }
    await expect(writeZip(nameless())).rejects.toThrow('name');
  });
});

describe('an archive of more than 65,535 files', () => {
  const count = 66_000;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-zip-'));
    file = join(folder, 'many.zip');
    async function* many(): AsyncGenerator<ArchiveFile> {
      for (let number = 0; number < count - 1; number += 1)
        yield { name: `train/Sýkora/${number}.jpg`, content: Buffer.from(`picture ${number}`), date };
      yield { name: 'labels.csv', content: pieces, date };
    }
    await pipeline(await writeZip(many()), createWriteStream(file));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;

  it.skipIf(isMissing('unzip'))('checked by Info-ZIP, has no error', () => {
    expect(execFileSync('unzip', ['-tq', file], { encoding: 'utf8' })).toMatch(/^No errors detected/);
  });

  it.skipIf(isMissing('python3'))('read by Python, is complete', () => {
    const program = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
last = archive.infolist()[-2]
print(len(archive.namelist()), archive.testzip(), last.filename, last.date_time, oct(last.external_attr >> 16))
print(archive.read(last).decode(), archive.read('labels.csv').decode().split())`;
    expect(
      execFileSync('python3', ['-c', program, file], {
        encoding: 'utf8',
        env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
      }),
    ).toBe(
      `${count} None train/Sýkora/${count - 2}.jpg (2026, 5, 1, 10, 0, 30) 0o100644\n` +
        `picture ${count - 2} ['file,class', 'a.jpg,Great', 'Tit']\n`,
    );
  });
});
