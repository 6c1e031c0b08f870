import { describe, expect, it } from 'vitest';
import { directoryEnd, directoryRecord, localHeader, type ZipEntry } from './zip-records.js';

const gigabyte = 2 ** 30;
const date = new Date('2026-05-01T10:15:31Z');
const entry = (given: Partial<ZipEntry> = {}): ZipEntry => {
  return { name: 'a.jpg', date, sum: 0xdeadbeef, bytes: 27_000, offset: 5, ...given };
};
const hex = (buffer: Buffer) => buffer.toString('hex');

/** What a directory record says of size, size and offset. */
function numbersOf(record: Buffer) {
  return [20, 24, 42].map((at) => record.readUInt32LE(at));
}

/** The 64-bit numbers behind the name of a record whose extra field is at its end. */
function wideNumbersOf(record: Buffer, count: number): number[] {
  const start = record.length - count * 8;
  expect([record.readUInt16LE(start - 4), record.readUInt16LE(start - 2)]).toEqual([1, count * 8]);
  return Array.from({ length: count }, (_, index) => Number(record.readBigUInt64LE(start + index * 8)));
}

describe('localHeader', () => {
  it('a picture, is a stored file with its sum, length and time in UTC', () => {
    expect(hex(localHeader(entry()))).toBe(
      '504b0304' +
        '1400' +
        '0008' +
        '0000' +
        'ef51a15c' +
        'efbeadde' +
        '78690000' +
        '78690000' +
        '0500' +
        '0000' +
        hex(Buffer.from('a.jpg')),
    );
  });

  it('a name beyond ASCII, is as long as its UTF-8', () => {
    const header = localHeader(entry({ name: 'Sýkora.jpg' }));
    expect(header.readUInt16LE(26)).toBe(11);
    expect(header.subarray(30).toString()).toBe('Sýkora.jpg');
  });

  it('a file of 5 GB, has its length in 64 bits', () => {
    const header = localHeader(entry({ bytes: 5 * gigabyte }));
    expect(header.readUInt16LE(4)).toBe(45);
    expect([header.readUInt32LE(18), header.readUInt32LE(22)]).toEqual([0xffffffff, 0xffffffff]);
    expect(wideNumbersOf(header, 2)).toEqual([5 * gigabyte, 5 * gigabyte]);
  });

  it.each([
    ['1970-01-01T00:00:00Z', (1 << 21) | (1 << 16)],
    ['2107-12-31T23:59:59Z', 0xff9fbf7d],
  ])('a file of %s, has the time that ZIP knows', (at, time) => {
    expect(localHeader(entry({ date: new Date(at) })).readUInt32LE(10)).toBe(time);
  });
});

describe('directoryRecord', () => {
  it('a picture, is where its header is', () => {
    expect(numbersOf(directoryRecord(entry()))).toEqual([27_000, 27_000, 5]);
  });

  it('a picture behind 4 GB, has its place alone in 64 bits', () => {
    const record = directoryRecord(entry({ offset: 6 * gigabyte }));
    expect(numbersOf(record)).toEqual([27_000, 27_000, 0xffffffff]);
    expect(wideNumbersOf(record, 1)).toEqual([6 * gigabyte]);
  });
});

describe('directoryEnd', () => {
  it('few files, is the short end alone', () => {
    const end = directoryEnd({ entries: 2, bytes: 100, offset: 900 });
    expect(hex(end)).toBe('504b0506' + '00000000' + '0200' + '0200' + '64000000' + '84030000' + '0000');
  });

  it.each([
    ['65 535 files', { entries: 65_535, bytes: 6_000_000, offset: gigabyte }],
    ['more than 4 GB', { entries: 2, bytes: 100, offset: 5 * gigabyte }],
  ])('%s, has the wide end before', (_, directory) => {
    const end = directoryEnd(directory);
    expect(end).toHaveLength(56 + 20 + 22);
    const wide = [24, 32, 40, 48, 64].map((at) => Number(end.readBigUInt64LE(at)));
    const { entries, bytes, offset } = directory;
    expect(wide).toEqual([entries, entries, bytes, offset, offset + bytes]);
    expect(end.readUInt32LE(56 + 20)).toBe(0x06054b50);
  });
});
