import { once } from 'node:events';
import pg from 'pg';

/** The methods of pg's connection for COPY, which its types do not contain. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY into a table on its own connection. */
export interface CopyTarget {
  /** Sends lines of COPY's text format; returns when the server takes more. */
  write(lines: string): Promise<void>;
  /** Ends the statement and returns when the rows are committed. */
  finish(): Promise<void>;
  /** Closes the connection; an unfinished COPY is rolled back. */
  close(): Promise<void>;
}

/** Starts a `COPY ... FROM STDIN` and returns the connection when the server waits for data. */
function submitCopy(client: pg.Client, sql: string) {
  return new Promise<{ connection: CopyConnection; done: Promise<void> }>((resolve, reject) => {
    let finish: () => void;
    let fail: (error: Error) => void;
    const done = new Promise<void>((resolveDone, rejectDone) => {
      finish = resolveDone;
      fail = rejectDone;
    });
    // Whoever writes meets the error through `done` as well; before that nobody may be waiting for it.
    done.catch(reject);
    const statement = {
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse: (connection: CopyConnection) => resolve({ connection, done }),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => finish(),
      handleError: (error: Error) => fail(error),
    };
    client.query(statement);
  });
}

/** Opens a connection without triggers and foreign keys, which the rows fulfil, and starts a COPY on it. */
export async function copyInto(databaseUrl: string, table: string, columns: string): Promise<CopyTarget> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'birdhub-bench-load' });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  const { connection, done } = await submitCopy(client, `COPY ${table} (${columns}) FROM STDIN`);
  const write = async (lines: string) => {
    if (lines === '') return;
    connection.sendCopyFromChunk(Buffer.from(lines));
    if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), done]);
  };
  const finish = async () => {
    connection.endCopyFrom();
    await done;
  };
  return { write, finish, close: () => client.end() };
}
