import { crc32, inflateRawSync } from 'node:zlib';

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const utf8Flag = 0x0800;

/** Reads the files of a ZIP archive below 4 GB by name, in order. @throws when a checksum or name is invalid */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== endMark) throw new Error('the archive does not end with its directory');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== entryMark) throw new Error('the directory of the archive is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
      archive.readUInt16LE(at + place),
    ) as [number, number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const bytes = readEntry(archive, at);
    const isPlain = /^[\x20-\x7e]*$/.test(name);
    if (!isPlain && !(archive.readUInt16LE(at + 8) & utf8Flag))
      throw new Error(`${name} is not marked as UTF-8`);
    if (files.has(name)) throw new Error(`${name} is duplicated`);
    if (crc32(bytes) !== archive.readUInt32LE(at + 16)) throw new Error(`${name} has an invalid checksum`);
    files.set(name, bytes);
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

function readEntry(archive: Buffer, at: number): Buffer {
  const local = archive.readUInt32LE(at + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 20));
  return archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
}
