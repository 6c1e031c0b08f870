/** A file of a ZIP archive, stored as it is. */
export interface ZipEntry {
  readonly name: string;
  readonly date: Date;
  /** CRC-32 of the content. */
  readonly sum: number;
  readonly bytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/** Where the directory of an archive is. */
export interface ZipDirectory {
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
}

type Field = readonly [bytes: 2 | 4 | 8, value: number];

const most16 = 0xffff;
const most32 = 0xffff_ffff;
const utf8Names = 0x0800;
const stored = 0;
const plainVersion = 20;
/** The first version with numbers of 64 bits. */
const wideVersion = 45;
/** On Unix, where a file has a mode. */
const madeBy = (3 << 8) | wideVersion;
const plainFile = 0o100644 * 2 ** 16;

/** Little-endian numbers, and what stands behind them. */
function record(fields: readonly Field[], ...behind: readonly Buffer[]): Buffer {
  const numbers = Buffer.allocUnsafe(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) numbers.writeBigUInt64LE(BigInt(value), at);
    else numbers.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return Buffer.concat([numbers, ...behind]);
}

/** Numbers that their fields of 32 bits do not hold, in their order; nothing when those hold all. */
function wideNumbers(...numbers: readonly number[]): Buffer {
  const wide = numbers.filter((number) => number >= most32).map((number): Field => [8, number]);
  return wide.length ? record([[2, 1], [2, wide.length * 8], ...wide]) : Buffer.alloc(0);
}

/** Date and time of MS-DOS, in UTC as ZIP knows no zone; it has two seconds and the years 1980 to 2107. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980;
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return day * 2 ** 16 + time;
}

/** What local header and directory say alike. */
function describe({ name, date, sum, bytes }: ZipEntry, extra: Buffer): Field[] {
  const size = Math.min(bytes, most32);
  return [
    [2, extra.length ? wideVersion : plainVersion],
    [2, utf8Names],
    [2, stored],
    [4, dosTime(date)],
    [4, sum],
    [4, size],
    [4, size],
    [2, Buffer.byteLength(name)],
    [2, extra.length],
  ];
}

/** What stands before the content of a file. */
export function localHeader(entry: ZipEntry): Buffer {
  const extra = wideNumbers(entry.bytes, entry.bytes);
  return record([[4, 0x04034b50], ...describe(entry, extra)], Buffer.from(entry.name), extra);
}

/** What the directory says of a file. */
export function directoryRecord(entry: ZipEntry): Buffer {
  const { name, bytes, offset } = entry;
  const extra = wideNumbers(bytes, bytes, offset);
  const start: Field[] = [
    [4, 0x02014b50],
    [2, madeBy],
  ];
  const end: Field[] = [
    [2, 0], // Length of a comment.
    [2, 0], // Number of the disk.
    [2, 0], // Whether it is text.
    [4, plainFile],
    [4, Math.min(offset, most32)],
  ];
  return record([...start, ...describe(entry, extra), ...end], Buffer.from(name), extra);
}

/** The end of an archive that has numbers of more bits, before the end that every archive has. */
function wideEnd({ entries, bytes, offset }: ZipDirectory): Buffer {
  const end = record([
    [4, 0x06064b50],
    [8, 44], // Length of what follows.
    [2, madeBy],
    [2, wideVersion],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, bytes],
    [8, offset],
  ]);
  const place = record([
    [4, 0x07064b50],
    [4, 0],
    [8, offset + bytes],
    [4, 1], // Number of disks.
  ]);
  return Buffer.concat([end, place]);
}

/** What ends an archive. */
export function directoryEnd(directory: ZipDirectory): Buffer {
  const entries = Math.min(directory.entries, most16);
  const bytes = Math.min(directory.bytes, most32);
  const offset = Math.min(directory.offset, most32);
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, entries],
    [2, entries],
    [4, bytes],
    [4, offset],
    [2, 0], // Length of a comment.
  ]);
  const isWide = entries === most16 || bytes === most32 || offset === most32;
  return isWide ? Buffer.concat([wideEnd(directory), end]) : end;
}
