import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockBytes, paddingAfter, readTarHeader, toTarHeader } from './tar-entry.js';

const entry = { name: 'data/video/000001', content: Buffer.from('1\tgarden\n') };
const modified = new Date('2026-05-01T08:00:00Z');

describe('toTarHeader and readTarHeader', () => {
  it('a header that was made, says the name and the size', () => {
    const header = toTarHeader(entry, modified);
    expect(header).toHaveLength(blockBytes);
    expect(readTarHeader(header)).toEqual({ name: entry.name, size: 9 });
  });

  it('a block of zeros, is the end', () => {
    expect(readTarHeader(Buffer.alloc(blockBytes))).toBeUndefined();
  });

  it.each([0, 130, 150, 300])('a header whose byte %d has changed, is refused', (place) => {
    const header = toTarHeader(entry, modified);
    header[place] = (header[place] ?? 0) + 1;
    expect(() => readTarHeader(header)).toThrow('something else');
  });

  it('a name of more than a hundred bytes, is refused', () => {
    expect(() => toTarHeader({ ...entry, name: 'ä'.repeat(51) }, modified)).toThrow('too long');
  });

  it('an archive of one, is unpacked by tar as it was, for its owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-tar-'));
    const file = join(folder, 'one.tar');
    const padding = Buffer.alloc(paddingAfter(entry.content.length) + 2 * blockBytes);
    writeFileSync(file, Buffer.concat([toTarHeader(entry, modified), entry.content, padding]));
    const listing = execFileSync('tar', ['-tvf', file], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    expect(listing).toMatch(/^-rw------- .* 2026-05-01 08:00 data\/video\/000001/);
    execFileSync('tar', ['-xf', file, '-C', folder]);
    expect(readFileSync(join(folder, entry.name))).toEqual(entry.content);
    rmSync(folder, { recursive: true });
  });
});

describe('paddingAfter', () => {
  it.each([
    [0, 0],
    [1, 511],
    [512, 0],
    [513, 511],
  ])('%d bytes, are followed by %d', (bytes, padding) => {
    expect(paddingAfter(bytes)).toBe(padding);
  });
});
