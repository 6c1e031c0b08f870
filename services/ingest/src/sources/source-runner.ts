import type { RecordingWriter } from '@birdhub/domain/recordings';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import pLimit from 'p-limit';
import { SourceSession, type SourceSessionDeps } from './source-session.js';
import { listSourceTasks, type SourceStore, type SourceTask } from './sources.store.js';
import type { UpstreamOpener } from './upstream-opener.js';

/** What the runner works with. */
export interface SourceRunnerDeps extends SourceSessionDeps {
  readonly sources: Pick<SourceStore, 'find'>;
  readonly opener: UpstreamOpener;
  readonly writer: Pick<RecordingWriter, 'remove'>;
  /** How often it looks for sources that were added or changed elsewhere. */
  readonly checkIntervalMs?: number;
  /** How long after its removal the recordings of a source are deleted: an import in another process has ended then. */
  readonly removalDelayMs?: number;
}

const removalBatch = 100;
const maxRemovals = 4;

/**
 * Works on all sources. One process of the hub does so at a time, the one that holds the lock; it takes one connection for all
 * of them.
 */
export class SourceRunner {
  readonly #deps: SourceRunnerDeps;
  readonly #loop: Loop;
  readonly #sessions = new Map<number, { readonly revision: number; readonly session: SourceSession }>();
  readonly #unusable = new Map<number, number>();
  /** Fires to look at the sources again. */
  #changed = new AbortController();
  #isHolder = false;

  constructor(deps: SourceRunnerDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: (signal) => this.#takeTurn(signal),
      everyMs: deps.checkIntervalMs ?? 5_000,
      onError: (error) => deps.log.warn({ err: error }, 'sources are not read, retrying'),
    });
  }

  /** Whether this process is the one that reads the sources. */
  get isHolder(): boolean {
    return this.#isHolder;
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks for sources that were added or changed, and for their work. */
  wake(): void {
    this.#changed.abort();
    for (const { session } of this.#sessions.values()) session.wake();
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #takeTurn(stopping: AbortSignal): Promise<void> {
    // An idle hub without sources holds no connection.
    if (!(await listSourceTasks(this.#deps.pool)).length) return;
    await withAdvisoryLock(this.#deps.pool, lockNames.sources, async (lost) => {
      this.#isHolder = true;
      try {
        await this.#run(AbortSignal.any([stopping, lost]));
      } finally {
        this.#isHolder = false;
        await this.#stopSessions(() => true);
        this.#unusable.clear();
      }
    });
  }

  /** Keeps a session for each source that is enabled, until the signal fires or none is left. */
  async #run(signal: AbortSignal): Promise<void> {
    const { pool, checkIntervalMs = 5_000, log } = this.#deps;
    while (!signal.aborted) {
      this.#changed = new AbortController();
      const changed = this.#changed.signal;
      const tasks = await listSourceTasks(pool);
      if (!tasks.length) return;
      await this.#stopSessions((id, revision) => !tasks.some((task) => isCurrent(task, id, revision)));
      for (const task of tasks) {
        if (task.removedMs === null) await this.#openSession(task);
        else
          await this.#remove(task, signal).catch((error: unknown) => {
            if (!signal.aborted) log.warn({ err: error, source_id: task.id }, 'data of a source not removed');
          });
      }
      await sleep(checkIntervalMs, AbortSignal.any([signal, changed]));
    }
  }

  async #stopSessions(isOver: (id: number, revision: number) => boolean): Promise<void> {
    const over = [...this.#sessions].filter(([id, { revision }]) => isOver(id, revision));
    await Promise.all(
      over.map(async ([id, { session }]) => {
        this.#sessions.delete(id);
        await session.stop();
      }),
    );
  }

  async #openSession({ id, revision }: SourceTask): Promise<void> {
    if (this.#sessions.has(id) || this.#unusable.get(id) === revision) return;
    const { sources, opener, log } = this.#deps;
    const source = await sources.find(id);
    if (!source?.enabled || source.revision !== revision) return;
    try {
      const kind = opener.kindOf(source.kind);
      const upstream = await opener.open(source.kind, source);
      const checkBroker = () => opener.checkBroker(source.secrets.mqttUrl);
      const session = new SourceSession(this.#deps, { source, kind, upstream, checkBroker });
      this.#sessions.set(id, { revision, session });
      session.start();
    } catch (error) {
      this.#unusable.set(id, revision);
      log.error({ err: error, source_id: id }, 'a source cannot be opened');
    }
  }

  /** Deletes some of what a source has brought, and the source when nothing is left. */
  async #remove({ id, removedMs }: SourceTask, signal: AbortSignal): Promise<void> {
    const { events, writer, removalDelayMs = 15_000 } = this.#deps;
    if ((removedMs ?? 0) < removalDelayMs) return;
    const author = { role: 'admin', requestId: `source-${id}-removal` };
    for (;;) {
      signal.throwIfAborted();
      const batch = await events.listRecordings(id, removalBatch);
      if (!batch.length) break;
      const limit = pLimit(maxRemovals);
      await Promise.all(
        batch.map(({ videoId }) =>
          limit(async () => {
            if (videoId === null || signal.aborted) return;
            await writer.remove(videoId, author).catch((error: unknown) => {
              if (!(error instanceof HubError) || error.status >= 500) throw error;
            });
          }),
        ),
      );
      signal.throwIfAborted();
      await events.forget(batch.map((event) => event.id));
      // Others have their turn in between.
      if (this.#changed.signal.aborted) return;
    }
    await events.deleteSource(id);
  }
}

const isCurrent = (task: SourceTask, id: number, revision: number) =>
  task.id === id && task.revision === revision && task.removedMs === null;

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, delayMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
