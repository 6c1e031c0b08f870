import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@birdhub/shared/time';

const maxBufferedBytes = 64 * 1024;
const folderPrefix = 'birdhub-dataset-';
/** Longer than any export takes. */
const abandonedAfterMs = 2 * dayMs;

/** Collects named contents in temporary files. */
export class Spool {
  readonly #folder: string;
  readonly #buffers = new Map<string, { pieces: Buffer[]; bytes: number }>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates a spool in a temporary folder, which the caller removes. */
  static async create(): Promise<Spool> {
    return new Spool(await mkdtemp(join(tmpdir(), folderPrefix)));
  }

  async append(name: string, content: string): Promise<void> {
    const buffer = this.#buffers.get(name) ?? { pieces: [], bytes: 0 };
    this.#buffers.set(name, buffer);
    const piece = Buffer.from(content);
    buffer.pieces.push(piece);
    buffer.bytes += piece.length;
    if (buffer.bytes > maxBufferedBytes) await this.#flush(name);
  }

  /** Yields the content of a name in chunks; empty when nothing was appended. */
  async *read(name: string): AsyncGenerator<Buffer> {
    await this.#flush(name);
    yield* createReadStream(join(this.#folder, name));
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }

  async #flush(name: string): Promise<void> {
    const { pieces } = this.#buffers.get(name) ?? { pieces: [] };
    this.#buffers.delete(name);
    await appendFile(join(this.#folder, name), Buffer.concat(pieces));
  }
}

/** Deletes spools of processes that were killed. */
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
