import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Contents that grow on disk until they are read. */
export interface Spool {
  append(name: string, content: string | Buffer): Promise<void>;
  /** The content of a name, piece by piece, as often as it is asked for; empty when nothing was appended. */
  read(name: string): AsyncIterable<Buffer>;
  remove(): Promise<void>;
}

const mostWaiting = 64 * 1024;
const folderPrefix = 'birdhub-dataset-';
/** Longer than any export lasts. */
const abandonedAfterMs = 2 * 86_400_000;

/** A spool in a folder of its own; whoever has it removes it. */
export async function createSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  const waiting = new Map<string, { pieces: Buffer[]; bytes: number }>();
  const fileOf = (name: string) => join(folder, name);

  async function flush(name: string): Promise<void> {
    const { pieces } = waiting.get(name) ?? { pieces: [] };
    waiting.delete(name);
    await appendFile(fileOf(name), Buffer.concat(pieces));
  }

  return {
    async append(name, content) {
      const own = waiting.get(name) ?? { pieces: [], bytes: 0 };
      waiting.set(name, own);
      const piece = Buffer.from(content);
      own.pieces.push(piece);
      own.bytes += piece.length;
      if (own.bytes > mostWaiting) await flush(name);
    },
    async *read(name) {
      await flush(name);
      yield* createReadStream(fileOf(name));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Deletes what exports of processes that were killed have left; folders of somebody else are let be. */
export async function deleteAbandonedSpools(now: number): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(folderPrefix));
  const folders = names.map((name) => join(tmpdir(), name));
  await Promise.allSettled(
    folders.map(async (folder) => {
      const { mtimeMs } = await stat(folder);
      if (now - mtimeMs > abandonedAfterMs) await rm(folder, { recursive: true, force: true });
    }),
  );
}
