import { once } from 'node:events';
import type pg from 'pg';

/** What a connection of pg can do beside what its types tell. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Runs a `COPY … FROM STDIN` on a connection without pipelining, no faster than the server takes the chunks.
 * Answers how many rows it took. A failure of the chunks fails the statement.
 */
export function copyIn(
  client: pg.ClientBase,
  statement: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    let rowCount = 0;
    const fail = (error: unknown) => {
      over.abort();
      reject(error);
    };
    const query = {
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) =>
        void send(connection, chunks, over.signal).catch((error: unknown) => {
          if (over.signal.aborted) return;
          fail(error);
          connection.sendCopyFail('the sender gave up');
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

async function send(connection: CopyConnection, chunks: AsyncIterable<Buffer>, signal: AbortSignal) {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    // Lost: the query hears of it.
    if (!connection.stream.writable) return;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
  }
  signal.throwIfAborted();
  connection.endCopyFrom();
}
