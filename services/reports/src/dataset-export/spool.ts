import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Texts that grow on disk until they are read. */
export interface Spool {
  append(name: string, text: string): Promise<void>;
  /** The text of a name, piece by piece; empty when nothing was appended. */
  read(name: string): AsyncIterable<Buffer>;
  remove(): Promise<void>;
}

/** A spool in a folder of its own; whoever has it removes it. */
export async function createSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-dataset-'));
  const fileOf = (name: string) => join(folder, name);
  return {
    append: (name, text) => appendFile(fileOf(name), text),
    async *read(name) {
      await appendFile(fileOf(name), '');
      yield* createReadStream(fileOf(name));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
