import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';
import { explainReadError, explainWriteError } from './explain-failure.js';

const bufferBytes = 1 << 18;

/** Maximum size of an entry, which is read into memory; backups have entries of a megabyte, or of one row. */
const maxEntryBytes = 256 * 1024 * 1024;

/** A file of an archive; its content fits into memory. */
export interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

export interface ArchiveTarget {
  /** Created once the archive is complete and on disk; replaces an existing file. */
  readonly file: string;
  readonly madeAt: Date;
  readonly signal: AbortSignal;
}

/** Writes a tar.gz that only its owner can read. */
export async function writeArchive(
  { file, madeAt, signal }: ArchiveTarget,
  entries: AsyncIterable<Entry>,
): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(toTar(entries, madeAt), createGzip({ chunkSize: bufferBytes }), target, { signal });
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw explainWriteError(error, file);
  }
}

/**
 * Yields the entries of a tar.gz in order.
 * @throws LauncherError when it cannot be read to its end, or has an entry larger than `limitOf` its name
 */
export async function* readArchive(
  file: string,
  limitOf: (name: string) => number = () => maxEntryBytes,
): AsyncGenerator<Entry> {
  const tar = extract();
  const reading = pipeline(createReadStream(file), createGunzip({ chunkSize: bufferBytes }), tar);
  // A failure is reported by the iteration below.
  void Promise.allSettled([reading]);
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      if (type !== 'file') throw new Error(`${name} is not a file`);
      const maxBytes = Math.min(limitOf(name), maxEntryBytes);
      if (size > maxBytes) throw new Error(`${name} has ${size} bytes; at most ${maxBytes} are expected`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      yield { name, content: Buffer.concat(chunks) };
    }
    await reading;
  } catch (error) {
    throw explainReadError(error, file);
  } finally {
    tar.destroy();
  }
}

/** Appends entries in order; a failing entry fails the archive. */
async function appendAll(tar: Pack, entries: AsyncIterable<Entry>, mtime: Date): Promise<void> {
  const append = ({ name, content }: Entry) =>
    new Promise<void>((resolve, reject) => {
      tar.entry({ name, mode: 0o600, mtime }, content, (error) => (error ? reject(error) : resolve()));
    });
  try {
    for await (const entry of entries) await append(entry);
    tar.finalize();
  } catch (error) {
    tar.destroy(error as Error);
  }
}

async function* toTar(entries: AsyncIterable<Entry>, madeAt: Date): AsyncGenerator<Buffer> {
  const tar = pack();
  const appended = appendAll(tar, entries, madeAt);
  try {
    yield* tar as AsyncIterable<Buffer>;
  } finally {
    tar.destroy();
    await appended;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Size and checksum of a section, by which a reader verifies that it is complete. */
export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Content of any length, stored as numbered entries (`data/video/000001` and so on) or as a single entry. */
export interface Section {
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Yields the numbered entries of a section and returns its digest. */
export async function* toEntries({ name, chunks }: Section): AsyncGenerator<Entry, Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  let part = 0;
  for await (const content of chunks) {
    hash.update(content);
    bytes += content.length;
    part += 1;
    yield { name: `${name}/${String(part).padStart(6, '0')}`, content };
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Yields the sections of an archive in order; the unread rest of a section is skipped. */
export async function* readSections(entries: AsyncIterator<Entry>): AsyncGenerator<Section> {
  let next = await entries.next();
  async function* readChunks(name: string) {
    for (; !next.done && sectionOf(next.value) === name; next = await entries.next()) {
      yield next.value.content;
    }
  }
  try {
    while (!next.done) {
      const name = sectionOf(next.value);
      yield { name, chunks: readChunks(name) };
      for await (const _ of readChunks(name));
    }
  } finally {
    await entries.return?.();
  }
}

/** Returns the digest of chunks; calls `onChunk` with each of them. */
export async function digest(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  onChunk?: (chunk: Buffer) => Promise<void> | void,
): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    await onChunk?.(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

function sectionOf({ name }: Entry): string {
  return name.replace(/\/\d+$/, '');
}
