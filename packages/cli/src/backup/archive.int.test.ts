import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Entry, readArchive, writeArchive } from './archive.js';

/** Written by Birdhub 0.1.1 with its own tar code. */
const archiveOf011 =
  'H4sIAAAAAAAAA+2WQQ6CMBBFu5VTEA4gMwWGxNtUigSN1BRwY7yNN/FiRt0BCau2C+bN5qdpM5NM/7RHVV3G2/7cm064AgCAABbXfyAJLLAsoKDvPgCi' +
  'kkQ8P+GAsR+UFQvVbYNHcjL2qobkEOMzCl0N4xutBpXeW12b9G9FBzlW/I8E+cT/pZQ5+98HuGuU1XUXsWDBIogI6f/p/JcOcqz+/wBm8x8lz38f2LoyVrdd' +
  '04d7/xf6n2Xcfy+8XxxbjtD3j2GYcHwAX2FcyQAUAAA=';

describe('writeArchive and readArchive', () => {
  let folder: string;
  let file: string;
  const madeAt = new Date('2026-05-01T08:00:00Z');
  const { signal } = new AbortController();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-archive-'));
    file = join(folder, 'one.backup');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function* many(entries: readonly Entry[]) {
    yield* entries;
  }
  async function readAll(): Promise<Entry[]> {
    const read: Entry[] = [];
    for await (const entry of readArchive(file)) read.push(entry);
    return read;
  }

  it('entries written to an archive, are read back unchanged, including empty ones and long names', async () => {
    const entries = [
      { name: 'data/video/000001', content: Buffer.from('1\tgarden\n') },
      { name: 'data/video/000002', content: Buffer.alloc(0) },
      { name: `data/${'long_'.repeat(60)}/000001`, content: Buffer.alloc(512, 'x') },
      { name: `data/${'sýkora_'.repeat(20)}/000001`, content: Buffer.alloc(100_000, 'ä') },
    ];
    await writeArchive({ file, madeAt, signal }, many(entries));
    expect(await readAll()).toEqual(entries);
  });

  it('an archive with an entry above its limit, yields the entries before it and fails', async () => {
    const entries = ['small', 'large'].map((name) => ({ name, content: Buffer.alloc(name.length * 100) }));
    await writeArchive(
      { file, madeAt, signal },
      many([...entries, { name: 'x', content: Buffer.alloc(501) }]),
    );
    const names: string[] = [];
    const reading = async () => {
      for await (const { name } of readArchive(file, () => 500)) names.push(name);
    };
    await expect(reading()).rejects.toThrow('x has 501 bytes; at most 500 are expected');
    expect(names).toEqual(['small', 'large']);
  });

  it('an archive that claims a huge entry, fails before reading it', async () => {
    const header = Buffer.alloc(512);
    header.write('data/video/000001');
    header.write('0000600\0', 100);
    header.write('77777777777\0', 124);
    header.write('ustar\x0000', 257);
    header.write('0', 156);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await writeFile(file, gzipSync(header));
    await expect(readAll()).rejects.toThrow('data/video/000001 has 8589934591 bytes');
  });

  it('a written archive, can be unpacked by tar and is readable by its owner only', async () => {
    const entry = { name: 'data/video/000001', content: Buffer.from('1\tgarden\n') };
    await writeArchive({ file, madeAt, signal }, many([entry]));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const env = { ...process.env, TZ: 'UTC' };
    const listing = execFileSync('tar', ['-tzvf', file], { encoding: 'utf8', env });
    expect(listing).toMatch(/^-rw------- .* 2026-05-01 08:00 data\/video\/000001\n$/);
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    expect(await readFile(join(folder, entry.name))).toEqual(entry.content);
  });

  it('an archive of 0.1.1, is read in full', async () => {
    await writeFile(file, Buffer.from(archiveOf011, 'base64'));
    expect((await readAll()).map(({ name, content }) => [name, content.toString()])).toEqual([
      ['backup.json', '{"format": 1}\n'],
      ['data/video/000001', '1\tgarden\n'.repeat(100)],
      ['data/video/000002', ''],
      ['recordings/000001', 'ä'.repeat(256)],
    ]);
  });

  it('an archive with a link in it, is refused', async () => {
    await symlink('/etc/passwd', join(folder, 'backup.json'));
    execFileSync('tar', ['-czf', file, '-C', folder, 'backup.json']);
    await expect(readAll()).rejects.toThrow('is damaged (backup.json is not a file)');
  });

  it('entries that fail half-way, leave no file', async () => {
    async function* failing() {
      yield { name: 'data/video/000001', content: Buffer.alloc(1_000_000) };
      throw new Error('the database is gone');
    }
    await expect(writeArchive({ file, madeAt, signal }, failing())).rejects.toThrow('the database is gone');
    expect(await readdir(folder)).toEqual([]);
  });

  it('a write aborted half-way, leaves no file and ends its entries', async () => {
    const controller = new AbortController();
    let hasEnded = false;
    async function* endless() {
      try {
        for (let part = 0; ; part += 1) {
          if (part === 20) controller.abort(new Error('given up'));
          yield { name: `data/video/${part}`, content: Buffer.alloc(100_000) };
        }
      } finally {
        hasEnded = true;
      }
    }
    const writing = writeArchive({ file, madeAt, signal: controller.signal }, endless());
    await expect(writing).rejects.toThrow();
    await expect.poll(() => hasEnded).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a reader that stops half-way, closes the file', async () => {
    const entries = Array.from({ length: 50 }, (_, part) => ({
      name: `data/video/${part}`,
      content: Buffer.alloc(100_000),
    }));
    await writeArchive({ file, madeAt, signal }, many(entries));
    const reader = readArchive(file);
    expect((await reader.next()).value).toMatchObject({ name: 'data/video/0' });
    await reader.return(undefined);
    expect(await reader.next()).toEqual({ value: undefined, done: true });
  });
});
