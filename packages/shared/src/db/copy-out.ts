import { Readable } from 'node:stream';
import type pg from 'pg';

const chunkBytes = 1 << 20;

/** The bytes of a `COPY … TO STDOUT` statement, in chunks of a megabyte that hold whole rows. */
export interface CopyOut extends Readable {
  /** How many rows came; right at the end of the stream. */
  readonly rowCount: number;
}

/** Runs a `COPY … TO STDOUT` on a connection without pipelining, no faster than it is read. */
export function copyOut(client: pg.ClientBase, statement: string): CopyOut {
  return client.query(new CopyOutQuery(statement));
}

/** What pg asks of a query that it did not make itself. */
class CopyOutQuery extends Readable implements CopyOut, pg.Submittable {
  rowCount = 0;
  readonly #statement: string;
  #connection: pg.Connection | undefined;
  #chunk = Buffer.allocUnsafe(chunkBytes);
  #filled = 0;

  constructor(statement: string) {
    super({ highWaterMark: chunkBytes });
    this.#statement = statement;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  // One row; its bytes are the parser's, which will write over them.
  handleCopyData({ chunk: row }: { chunk: Buffer }): void {
    if (this.#filled + row.length > this.#chunk.length && !this.#pushChunk(row.length)) {
      this.#connection?.stream.pause();
    }
    this.#filled += row.copy(this.#chunk, this.#filled);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rowCount = Number(text.split(' ').at(-1));
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleReadyForQuery(): void {
    if (this.destroyed) return;
    this.#pushChunk(0);
    this.push(null);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** False when the reader has enough for now. */
  #pushChunk(nextBytes: number): boolean {
    const full = this.#chunk.subarray(0, this.#filled);
    this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, nextBytes));
    this.#filled = 0;
    return full.length === 0 || this.push(full);
  }
}
