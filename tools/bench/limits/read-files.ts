import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Files to read. */
export interface FilesJob {
  readonly files: readonly string[];
}

/** Reads files sequentially as streams and discards them; returns the time in s. */
export async function readFiles({ files }: FilesJob): Promise<number> {
  const startedAt = performance.now();
  for (const file of files) {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(createReadStream(file), sink);
  }
  return (performance.now() - startedAt) / 1000;
}
