import type { FileHandle } from 'node:fs/promises';

/** What the header of an MP4 file says; ISO/IEC 14496-12. */
export interface Mp4Facts {
  readonly seconds: number;
  /** When it was created, in ms; undefined when unknown. */
  readonly createdAt: number | undefined;
}

interface Box {
  readonly type: string;
  /** Offsets of its content and of the next box. */
  readonly start: number;
  readonly end: number;
}

const maxBoxes = 1_000;
/** The epoch of the format. */
const epochMs = Date.UTC(1904, 0, 1);
const minCreatedAt = Date.UTC(2000, 0, 1);

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  return bytesRead === length ? buffer : undefined;
}

async function readBox(handle: FileHandle, at: number, limit: number): Promise<Box | undefined> {
  const head = await read(handle, at, 8);
  if (!head) return undefined;
  const type = head.toString('latin1', 4);
  const short = head.readUInt32BE(0);
  if (short === 0) return { type, start: at + 8, end: limit };
  if (short !== 1) return short < 8 ? undefined : { type, start: at + 8, end: at + short };
  const long = await read(handle, at + 8, 8);
  const end = long ? at + Number(long.readBigUInt64BE(0)) : at;
  return end < at + 16 ? undefined : { type, start: at + 16, end };
}

/** Returns the box of a type; undefined when there is none, or a box exceeds its parent. */
async function findBox(
  handle: FileHandle,
  type: string,
  { start, end }: Pick<Box, 'start' | 'end'>,
): Promise<Box | undefined> {
  let found: Box | undefined;
  for (let at = start, count = 0; at < end && count < maxBoxes; count += 1) {
    const box = await readBox(handle, at, end);
    if (!box || box.end > end) return undefined;
    if (box.type === type) found ??= box;
    at = box.end;
  }
  return found;
}

function readMovieHeader(content: Buffer): Mp4Facts | undefined {
  const isLong = content.readUInt8(0) === 1;
  const created = isLong ? Number(content.readBigUInt64BE(4)) : content.readUInt32BE(4);
  const scale = content.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(content.readBigUInt64BE(24)) : content.readUInt32BE(16);
  const isUnknown = duration === 0 || duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1);
  if (scale === 0 || isUnknown) return undefined;
  const createdAt = epochMs + created * 1000;
  return { seconds: duration / scale, createdAt: createdAt >= minCreatedAt ? createdAt : undefined };
}

/**
 * Reads duration and creation time of a complete MP4 file. Returns undefined for other and incomplete files, and when
 * the header has no duration.
 */
export async function readMp4(handle: FileHandle, size: number): Promise<Mp4Facts | undefined> {
  const first = await readBox(handle, 0, size);
  if (first?.type !== 'ftyp') return undefined;
  const movie = await findBox(handle, 'moov', { start: 0, end: size });
  const header = movie && (await findBox(handle, 'mvhd', movie));
  const content = header && (await read(handle, header.start, Math.min(header.end - header.start, 32)));
  return content && content.length >= 20 && content.length >= (content.readUInt8(0) === 1 ? 32 : 20)
    ? readMovieHeader(content)
    : undefined;
}
