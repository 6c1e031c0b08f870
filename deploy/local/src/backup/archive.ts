import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { pipeline as flow } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ByteReader } from './byte-reader.js';
import { explainReading, explainWriting } from './explain-failure.js';
import { blockBytes, type Entry, paddingAfter, readTarHeader, toTarHeader } from './tar-entry.js';

const bufferBytes = 1 << 18;

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
    await flow(toTar(entries, madeAt), createGzip({ chunkSize: bufferBytes }), target, { signal });
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw explainWriting(error, file);
  }
}

/** The entries of a tar.gz in their order. @throws LauncherError when it cannot be read to its end */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  // Its failure is that of the stream that is read here.
  const inflated = pipeline(
    createReadStream(file),
    createGunzip({ chunkSize: bufferBytes }),
    () => undefined,
  );
  const reader = new ByteReader(inflated);
  try {
    for (;;) {
      const header = readTarHeader(await reader.take(blockBytes));
      if (header === undefined) break;
      const content = await reader.take(header.size);
      await reader.take(paddingAfter(header.size));
      yield { name: header.name, content };
    }
    await reader.drain();
  } catch (error) {
    throw explainReading(error, file);
  } finally {
    inflated.destroy();
  }
}

async function* toTar(entries: AsyncIterable<Entry>, madeAt: Date): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    yield toTarHeader(entry, madeAt);
    yield entry.content;
    yield Buffer.alloc(paddingAfter(entry.content.length));
  }
  yield Buffer.alloc(2 * blockBytes);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
