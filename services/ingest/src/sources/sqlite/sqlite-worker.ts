import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import Database from 'libsql';

/** A query for the thread. Each query opens the file again, so that a replaced file is noticed. */
export interface ThreadQuery {
  readonly file: string;
  /** The table that it reads; undefined when it reads none. */
  readonly table: string | undefined;
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The rows of a query as arrays, or an error code of the system, of SQLite, or of `fileProblems`. */
export type ThreadReply =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly code: string; readonly message: string };

/** How long a query waits for a writer. */
const busyTimeoutMs = 5_000;
const magic = 'SQLite format 3\0';

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(magic.length + 4);
  const descriptor = openSync(file, 'r');
  try {
    return header.subarray(0, readSync(descriptor, header, 0, header.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns why a file is not a database. Runs before SQLite opens it. */
function findProblem(file: string): string | undefined {
  const stats = statSync(file);
  if (!stats.isFile()) return 'NOT_A_FILE';
  if (stats.size === 0) return 'EMPTY';
  return readHeader(file).toString('latin1', 0, magic.length) === magic ? undefined : 'NOT_SQLITE';
}

/** Bytes 18 and 19 of the header are the write and read versions, 2 for WAL. */
function usesWal(file: string): boolean {
  return readHeader(file).subarray(18, 20).includes(2);
}

/** Whether changes that are not yet in the file are beside it. */
function hasChanges(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Finds an ordinary table: views and virtual tables may run without end. SQLite rejects a forged name or type itself. */
const tableSql = `
  SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type = 'table' AND sql LIKE 'CREATE TABLE %'`;

/** `mode=ro` in the URI prevents writes; the option `readonly` of the library does not. */
function read({ file, table, sql, parameters }: ThreadQuery, uriParameters = 'mode=ro'): ThreadReply {
  const problem = findProblem(file);
  if (problem !== undefined) return { code: problem, message: '' };
  const database = new Database(`${pathToFileURL(file).href}?${uriParameters}`, { timeout: busyTimeoutMs });
  try {
    // A transaction, so that the table cannot be replaced after it was checked.
    database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; BEGIN');
    if (table !== undefined && database.prepare(tableSql).all(table).length === 0)
      return { code: 'NO_TABLE', message: '' };
    const statement = database.prepare(sql).raw();
    return { rows: statement.all(...parameters) as unknown[][] };
  } finally {
    // Closing alone does not release the lock until statements are collected.
    if (database.inTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

function attempt(query: ThreadQuery, uriParameters?: string): ThreadReply {
  try {
    return read(query, uriParameters);
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // Errors of opening have no code, only SQLite's number in the message.
    const isUnopened = code === 'SQLITE_CANTOPEN' || /: 14"?\)?$/.test(message);
    if (!isUnopened) return { code, message };
    if (!usesWal(query.file)) return { code: 'SQLITE_CANTOPEN', message };
    // A copy in a folder that may not be written is complete and does not change.
    if (uriParameters === undefined && !hasChanges(query.file)) return attempt(query, 'mode=ro&immutable=1');
    return { code: 'WAL', message };
  }
}

parentPort?.on('message', (query: ThreadQuery | null) => {
  if (query) parentPort?.postMessage(attempt(query));
  else parentPort?.close();
});
