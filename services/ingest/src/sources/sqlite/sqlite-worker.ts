import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import Database from 'libsql';

/** A query for the thread; each opens the file anew, so that one that was replaced is noticed. */
export interface ThreadQuery {
  readonly file: string;
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** The rows of a query as arrays, or the code of what failed: of the system, of SQLite, or one of `fileProblems`. */
export type ThreadReply =
  | { readonly rows: readonly (readonly unknown[])[] }
  | { readonly code: string; readonly message: string };

/** How long a query waits for a program that writes. */
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

/** Returns why a file is no database, before SQLite opens it. */
function findProblem(file: string): string | undefined {
  const facts = statSync(file);
  if (!facts.isFile()) return 'NOT_A_FILE';
  if (facts.size === 0) return 'EMPTY';
  return readHeader(file).toString('latin1', 0, magic.length) === magic ? undefined : 'NOT_SQLITE';
}

/** Bytes 18 and 19 of the header: the versions that writers and readers must know, 2 for WAL. */
function usesWal(file: string): boolean {
  return readHeader(file).subarray(18, 20).includes(2);
}

/** The mode in the address keeps SQLite from writing; the option `readonly` of the library does not. */
function read({ file, sql, parameters }: ThreadQuery): ThreadReply {
  const problem = findProblem(file);
  if (problem !== undefined) return { code: problem, message: '' };
  const database = new Database(`${pathToFileURL(file).href}?mode=ro`, { timeout: busyTimeoutMs });
  try {
    database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0');
    const statement = database.prepare(sql).raw();
    return { rows: statement.all(...parameters) as unknown[][] };
  } finally {
    database.close();
  }
}

function attempt(query: ThreadQuery): ThreadReply {
  try {
    return read(query);
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // An error of opening has no code, only SQLite's number for it in its text.
    const isUnopened = code === 'SQLITE_CANTOPEN' || /: 14"?\)?$/.test(message);
    if (!isUnopened) return { code, message };
    return { code: usesWal(query.file) ? 'WAL' : 'SQLITE_CANTOPEN', message };
  }
}

parentPort?.on('message', (query: ThreadQuery | null) => {
  if (query) parentPort?.postMessage(attempt(query));
  else parentPort?.close();
});
