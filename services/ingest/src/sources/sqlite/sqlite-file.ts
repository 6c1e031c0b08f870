import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { startThread } from '@birdhub/shared/threads';
import { type Sentence, say } from '../sentences.js';
import { type TestStageName, UpstreamError } from '../source-kind.js';
import type { ThreadQuery, ThreadReply } from './sqlite-worker.js';

/** A table that a database must have. */
export interface ExpectedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export type SqliteRow = readonly unknown[];

const defaultTimeoutMs = 60_000;
const closeTimeoutMs = 2_000;
const resourceLimits = { maxOldGenerationSizeMb: 128 };

/** Returns what is wrong with the path of a database; undefined when it is valid. */
export function checkDatabasePath(path: string | undefined): ErrorDetail | undefined {
  if (!path) return refuse('/path', 'path_needed', { example: '/sources/birds.db' });
  if (!isAbsolute(path)) return refuse('/path', 'absolute_database');
  return path.includes('\0') ? refuse('/path', 'plain_text') : undefined;
}

interface Waiting {
  resolve(reply: ThreadReply): void;
  reject(reason: unknown): void;
  isLate: boolean;
}

/**
 * Reads the SQLite database of another program, which may be writing to it. Queries run sequentially in a worker
 * thread, as SQLite is synchronous. The file is opened read-only for each query.
 */
export class SqliteFile {
  readonly #path: string;
  readonly #table: ExpectedTable;
  readonly #timeoutMs: number;
  /** Replies arrive in the order of queries, including late and aborted ones. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | undefined;

  constructor(path: string, table: ExpectedTable, { timeoutMs = defaultTimeoutMs } = {}) {
    this.#path = path;
    this.#table = table;
    this.#timeoutMs = timeoutMs;
  }

  /** Checks that the file is a database. @throws UpstreamError */
  async open(signal?: AbortSignal): Promise<void> {
    await this.#run({ table: undefined, sql: 'SELECT 1', parameters: [] }, signal);
  }

  /** Checks the table. @throws UpstreamError naming the missing table or columns */
  async requireTable(signal?: AbortSignal): Promise<void> {
    const { name, columns } = this.#table;
    const rows = await this.query('SELECT name FROM pragma_table_info(?)', [name], signal);
    const present = new Set(rows.map(([column]) => String(column).toLowerCase()));
    const missing = columns.filter((column) => !present.has(column.toLowerCase()));
    if (missing.length)
      throw new UpstreamError('version', say('db_no_columns', { table: name, columns: missing.join(', ') }));
  }

  /** Returns the rows of a query of the table. @throws UpstreamError, the reason of the signal */
  query(
    sql: string,
    parameters: readonly (string | number)[] = [],
    signal?: AbortSignal,
  ): Promise<readonly SqliteRow[]> {
    return this.#run({ table: this.#table.name, sql, parameters }, signal);
  }

  async #run(
    query: Omit<ThreadQuery, 'file'>,
    signal: AbortSignal | undefined,
  ): Promise<readonly SqliteRow[]> {
    signal?.throwIfAborted();
    const problem = checkDatabasePath(this.#path);
    if (problem !== undefined) throw new UpstreamError('address', say('path_relative'));
    const reply = await this.#send({ ...query, file: this.#path }, signal);
    if ('rows' in reply) return reply.rows;
    if (reply.code === 'NO_TABLE')
      throw new UpstreamError('version', say('db_no_table', { table: this.#table.name }));
    throw diagnose(this.#path, reply.code, reply.message);
  }

  /** Stops the thread after its current query. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#discard(new UpstreamError('birds', say('source_closed')));
    if (!thread) return;
    const exit = once(thread, 'exit');
    const message: ThreadQuery | null = null;
    thread.postMessage(message);
    await Promise.race([exit, pause(closeTimeoutMs, undefined, { ref: false })]);
  }

  /** Sends a query to the thread. Terminating the thread during a query would crash the process, so late queries run on. */
  async #send(query: ThreadQuery, signal: AbortSignal | undefined): Promise<ThreadReply> {
    if (this.#waiting[0]?.isLate) throw timedOut();
    const thread = this.#start();
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<ThreadReply>((resolve, reject) => {
        const waiting: Waiting = { resolve, reject, isLate: false };
        timer = setTimeout(() => {
          waiting.isLate = true;
          reject(timedOut());
        }, this.#timeoutMs);
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
        this.#waiting.push(waiting);
        thread.postMessage(query);
      });
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener('abort', onAbort);
    }
  }

  #start(): Worker {
    if (this.#thread) return this.#thread;
    const thread = startThread(new URL('./sqlite-worker.js', import.meta.url), { resourceLimits });
    thread.unref();
    thread.on('message', (reply: ThreadReply) => {
      if (this.#thread === thread) this.#waiting.shift()?.resolve(reply);
    });
    thread.on('error', (cause) => {
      const failure = new UpstreamError('birds', say('db_unreadable', { code: 'thread' }), { cause });
      if (this.#thread === thread) this.#discard(failure);
    });
    this.#thread = thread;
    return thread;
  }

  #discard(reason: unknown): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}

const timedOut = () => new UpstreamError('birds', say('db_slow'));

type Diagnosis = readonly [stage: TestStageName, message: (path: string) => Sentence];

const diagnoses: readonly (readonly [code: RegExp, diagnosis: Diagnosis])[] = [
  [/^(ENOENT|ENOTDIR)$/, ['address', (path) => say('db_missing', { path })]],
  [/^(EACCES|EPERM)$/, ['permission', (path) => say('db_forbidden', { path })]],
  [/^NOT_A_FILE$/, ['address', (path) => say('db_not_a_file', { path })]],
  [/^EMPTY$/, ['address', (path) => say('db_empty', { path })]],
  [/^NOT_SQLITE$/, ['address', (path) => say('db_not_sqlite', { path })]],
  [/BUSY|LOCKED|PROTOCOL/, ['birds', () => say('db_busy')]],
  [/NOTADB|CORRUPT/, ['birds', () => say('db_damaged')]],
  [/READONLY/, ['permission', () => say('db_not_closed')]],
  [/^WAL$/, ['permission', () => say('db_wal')]],
  [/CANTOPEN/, ['permission', (path) => say('db_cannot_open', { path })]],
  [/IOERR|^EIO$|^ESTALE$/, ['permission', () => say('db_disk')]],
];

function diagnose(path: string, code: string, message: string): UpstreamError {
  const [, found] = diagnoses.find(([pattern]) => pattern.test(code)) ?? [];
  if (found) return new UpstreamError(found[0], found[1](path));
  return new UpstreamError('birds', say('db_unreadable', { code: code || message.slice(0, 200) }));
}
