import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import type { DatedFile } from './write-dataset.js';

const bufferBytes = 256 * 1024;

async function fill(
  archive: ZipArchive,
  files: AsyncIterable<DatedFile>,
  output: PassThrough,
  signal: AbortSignal,
) {
  for await (const { name, content, date } of files) {
    // Pictures are compressed already; of a stream the length is not known, which only compression can do without.
    const isStored = Buffer.isBuffer(content);
    const added = once(archive, 'entry', { signal });
    archive.append(content, { name, date, store: isStored });
    await added;
    if (output.writableNeedDrain) await once(output, 'drain', { signal });
  }
  await archive.finalize();
}

/**
 * The files as a ZIP archive. The next file is asked for when the reader has taken those before; the reader's leaving,
 * which the signal tells, ends the asking.
 */
export function writeZip(files: AsyncIterable<DatedFile>, signal: AbortSignal): Readable {
  const archive = new ZipArchive();
  const output = archive.pipe(new PassThrough({ highWaterMark: bufferBytes }));
  fill(archive, files, output, signal).catch((error: Error) => {
    archive.abort();
    output.destroy(error);
  });
  return output;
}
