import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { createSpool } from './spool.js';
import type { DatedFile } from './write-dataset.js';
import { directoryEnd, directoryRecord, localHeader, type ZipEntry } from './zip-records.js';

/** What is handed on at once: a picture alone is less than a write to a socket is worth. */
const blockBytes = 128 * 1024;
const directoryFile = 'directory';

/** Goes through a text for its sum and length, which stand before it. */
async function measure(content: DatedFile['content']): Promise<Pick<ZipEntry, 'sum' | 'bytes'>> {
  if (Buffer.isBuffer(content)) return { sum: crc32(content), bytes: content.length };
  let sum = 0;
  let bytes = 0;
  for await (const piece of content()) {
    sum = crc32(piece, sum);
    bytes += piece.length;
  }
  return { sum, bytes };
}

/**
 * The files as a ZIP archive, piece by piece; nothing when there are none. Pictures are compressed already, and nothing
 * else is. Of a file that was sent nothing stays in memory: the directory waits on disk.
 */
async function* writePieces(files: AsyncIterable<DatedFile>): AsyncGenerator<Buffer> {
  const spool = await createSpool();
  try {
    const directory = { entries: 0, bytes: 0, offset: 0 };
    for await (const { name, content, date } of files) {
      const entry = { name, date, offset: directory.offset, ...(await measure(content)) };
      const header = localHeader(entry);
      const listed = directoryRecord(entry);
      await spool.append(directoryFile, listed);
      directory.entries += 1;
      directory.bytes += listed.length;
      directory.offset += header.length + entry.bytes;
      yield header;
      if (Buffer.isBuffer(content)) yield content;
      else yield* content();
    }
    if (directory.entries === 0) return;
    yield* spool.read(directoryFile);
    yield directoryEnd(directory);
  } finally {
    await spool.remove();
  }
}

/** Pieces joined to larger ones. */
async function* inBlocks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < blockBytes) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}

/** Goes on after a first value; whoever leaves early ends the rest, even when nothing of it was asked for. */
function goOn<T>(first: T, rest: AsyncGenerator<T>): AsyncIterable<T> {
  let begin: T | undefined = first;
  const next = async (): Promise<IteratorResult<T>> => {
    if (begin === undefined) return rest.next();
    const value = begin;
    begin = undefined;
    return { value, done: false };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return(undefined) }) };
}

/**
 * The files as a ZIP archive; undefined when there are none. The next file is asked for when the reader has taken those
 * before, and the reader's leaving ends the asking.
 */
export async function writeZip(files: AsyncIterable<DatedFile>): Promise<Readable | undefined> {
  const blocks = inBlocks(writePieces(files));
  const first = await blocks.next();
  if (first.done) return undefined;
  return Readable.from(goOn(first.value, blocks), { objectMode: false, highWaterMark: blockBytes });
}
