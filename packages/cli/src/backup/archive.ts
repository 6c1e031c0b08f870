import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';
import { explainReading, explainWriting } from './explain-failure.js';

const bufferBytes = 1 << 18;

/** A file of an archive; its content fits into memory. */
export type Entry = { readonly name: string; readonly content: Buffer };

export type ArchiveTarget = {
  /** Appears when the archive is whole and on the disk; one that was there is replaced. */
  readonly file: string;
  readonly madeAt: Date;
  readonly signal: AbortSignal;
};

/** Writes a tar.gz that only its owner reads. */
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
    throw explainWriting(error, file);
  }
}

/** The entries of a tar.gz in their order. @throws LauncherError when it cannot be read to its end */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const tar = extract();
  const reading = pipeline(createReadStream(file), createGunzip({ chunkSize: bufferBytes }), tar);
  // Its failure is also that of the entries.
  void Promise.allSettled([reading]);
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== 'file') throw new Error(`${name} is no file`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      yield { name, content: Buffer.concat(chunks) };
    }
    await reading;
  } catch (error) {
    throw explainReading(error, file);
  } finally {
    tar.destroy();
  }
}

/** Appends entries one after the other; what fails fails the archive. */
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
