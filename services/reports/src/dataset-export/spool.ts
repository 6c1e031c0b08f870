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

const mostWaiting = 64 * 1024;

/** A spool in a folder of its own; whoever has it removes it. */
export async function createSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-dataset-'));
  const waiting = new Map<string, string>();
  const fileOf = (name: string) => join(folder, name);

  async function flush(name: string): Promise<void> {
    const text = waiting.get(name) ?? '';
    waiting.delete(name);
    await appendFile(fileOf(name), text);
  }

  return {
    async append(name, text) {
      const all = (waiting.get(name) ?? '') + text;
      waiting.set(name, all);
      if (all.length > mostWaiting) await flush(name);
    },
    async *read(name) {
      await flush(name);
      yield* createReadStream(fileOf(name));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
