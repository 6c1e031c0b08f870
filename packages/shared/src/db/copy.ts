import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

const chunkBytes = 1 << 20;

/** The output of a `COPY … TO STDOUT` statement, in chunks of about a megabyte that contain complete rows. */
export interface CopyOut extends Readable {
  /** The number of rows; final at the end of the stream. */
  readonly rowCount: number;
}

/** Runs a `COPY … TO STDOUT` on a connection without pipelining, with back-pressure. */
export function copyOut(client: pg.ClientBase, statement: string): CopyOut {
  return client.query(new CopyOutQuery(statement));
}

/** A custom query of pg, which calls its methods for each message of the server. */
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

  // Called for each row. The row is copied, as the parser reuses its buffer.
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

  /** Returns false when the reader's buffer is full. */
  #pushChunk(nextBytes: number): boolean {
    const full = this.#chunk.subarray(0, this.#filled);
    this.#chunk = Buffer.allocUnsafe(Math.max(chunkBytes, nextBytes));
    this.#filled = 0;
    return full.length === 0 || this.push(full);
  }
}

/**
 * Runs a `COPY … FROM STDIN` on a connection without pipelining, with back-pressure; returns the number of rows. An
 * error of `chunks` fails the statement.
 */
export function copyIn(
  client: pg.ClientBase,
  statement: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = new AbortController();
    let rowCount = 0;
    const fail = (error: unknown) => {
      failed.abort();
      reject(error);
    };
    const query = {
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) =>
        void send(connection, chunks, failed.signal).catch((error: unknown) => {
          if (failed.signal.aborted) return;
          fail(error);
          connection.sendCopyFail('the input failed');
        }),
      handleCommandComplete: ({ text }: { text: string }) => {
        rowCount = Number(text.split(' ').at(-1));
      },
      handleError: fail,
      handleReadyForQuery: () => resolve(rowCount),
    };
    client.query(query);
  });
}

/** Methods of a connection that are missing in the types of pg. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

async function send(connection: CopyConnection, chunks: AsyncIterable<Buffer>, signal: AbortSignal) {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    // A lost connection fails the query.
    if (!connection.stream.writable) return;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
  }
  signal.throwIfAborted();
  connection.endCopyFrom();
}
