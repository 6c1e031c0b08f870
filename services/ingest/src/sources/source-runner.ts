import type { RecordingWriter } from '@birdhub/domain/recordings';
import { createLoop, type Loop, pauseUnlessAborted, withAnySignal } from '@birdhub/shared/async';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { UpstreamError } from './source-kind.js';
import { describeFailure, SourceSession, type SourceSessionDeps } from './source-session.js';
import { listSourceTasks, type SourceStore, type SourceTask, saveContact } from './sources.store.js';
import type { UpstreamOpener } from './upstream-opener.js';

/** Dependencies of the runner. */
export interface SourceRunnerDeps extends SourceSessionDeps {
  readonly sources: Pick<SourceStore, 'find'>;
  readonly opener: UpstreamOpener;
  readonly writer: Pick<RecordingWriter, 'removeAll'>;
  /** Interval of the check for sources that other processes added or changed. */
  readonly checkIntervalMs?: number;
  /** Delay before the recordings of a removed source are deleted, so that an import in another process has ended. */
  readonly removalDelayMs?: number;
}

const removalBatch = 100;

/** Processes all sources in the one process of the hub that holds a lock, which occupies one database connection. */
export class SourceRunner {
  readonly #deps: SourceRunnerDeps;
  readonly #loop: Loop;
  readonly #sessions = new Map<number, { readonly revision: number; readonly session: SourceSession }>();
  /** Revisions of sources with an invalid configuration, by id. */
  readonly #unusable = new Map<number, number>();
  /** Fires when sources must be read from the database again. */
  #changed = new AbortController();
  #isHolder = false;

  constructor(deps: SourceRunnerDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: (signal) => this.#runIfFree(signal),
      everyMs: deps.checkIntervalMs ?? 5_000,
      onError: (error) => deps.log.warn({ err: error }, 'reading sources failed, retrying'),
    });
  }

  /** Whether this process holds the lock. */
  get isHolder(): boolean {
    return this.#isHolder;
  }

  start(): void {
    this.#loop.start();
  }

  /** Checks for added or changed sources and for pending work. */
  wake(): void {
    this.#changed.abort();
    for (const { session } of this.#sessions.values()) session.wake();
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #runIfFree(stopping: AbortSignal): Promise<void> {
    // Without sources, no connection is occupied by the lock.
    if (!(await listSourceTasks(this.#deps.pool)).length) return;
    await withAdvisoryLock(this.#deps.pool, lockNames.sources, async (lost) => {
      this.#isHolder = true;
      try {
        await withAnySignal([stopping, lost], (signal) => this.#run(signal));
      } finally {
        this.#isHolder = false;
        await this.#stopSessions(() => true);
        this.#unusable.clear();
      }
    });
  }

  /** Runs a session for each enabled source and deletes removed ones, until the signal fires or none is left. */
  async #run(signal: AbortSignal): Promise<void> {
    const { pool, checkIntervalMs = 5_000 } = this.#deps;
    let removal: Promise<void> | undefined;
    try {
      while (!signal.aborted) {
        this.#changed = new AbortController();
        const changed = this.#changed.signal;
        const tasks = await listSourceTasks(pool);
        if (!tasks.length) return;
        await this.#stopSessions((id, revision) => !tasks.some((task) => isCurrent(task, id, revision)));
        for (const task of tasks) if (task.removedMs === null) await this.#openSession(task);
        // Takes long for a source with many recordings, so it runs beside the sessions.
        removal ??= this.#removeAll(tasks, signal).finally(() => {
          removal = undefined;
        });
        await withAnySignal([signal, changed], (woken) => pauseUnlessAborted(checkIntervalMs, woken));
      }
    } finally {
      await removal;
    }
  }

  async #removeAll(tasks: readonly SourceTask[], signal: AbortSignal): Promise<void> {
    for (const task of tasks) {
      if (task.removedMs === null) continue;
      await this.#remove(task, signal).catch((error: unknown) => {
        if (signal.aborted) return;
        this.#deps.log.warn({ err: error, source_id: task.id }, 'removal of source data failed');
      });
    }
  }

  async #stopSessions(isObsolete: (id: number, revision: number) => boolean): Promise<void> {
    const obsolete = [...this.#sessions].filter(([id, { revision }]) => isObsolete(id, revision));
    await Promise.all(
      obsolete.map(async ([id, { session }]) => {
        this.#sessions.delete(id);
        await session.stop();
      }),
    );
  }

  async #openSession({ id, revision }: SourceTask): Promise<void> {
    if (this.#sessions.has(id) || this.#unusable.get(id) === revision) return;
    const { pool, sources, opener, log } = this.#deps;
    const source = await sources.find(id);
    if (!source?.enabled || source.revision !== revision) return;
    try {
      const kind = opener.kindOf(source.kind);
      const upstream = await opener.open(source.kind, source);
      const session = new SourceSession(this.#deps, { source, kind, upstream });
      this.#sessions.set(id, { revision, session });
      session.start();
    } catch (error) {
      const isConfiguration =
        error instanceof UpstreamError || (error instanceof HubError && error.status < 500);
      if (!isConfiguration) {
        log.warn({ err: error, source_id: id }, 'source not opened, retrying');
        return;
      }
      log.error({ err: error, source_id: id }, 'source not opened');
      await saveContact(pool, { id, revision, sentences: describeFailure(error) });
      this.#unusable.set(id, revision);
    }
  }

  /** Deletes recordings of a removed source in batches, and the source when none is left. */
  async #remove({ id, removedMs }: SourceTask, signal: AbortSignal): Promise<void> {
    const { events, writer, removalDelayMs = 15_000 } = this.#deps;
    if ((removedMs ?? 0) < removalDelayMs) return;
    const author = { role: 'admin', requestId: `source-${id}-removal` };
    for (;;) {
      signal.throwIfAborted();
      const batch = await events.listRecordings(id, removalBatch);
      if (!batch.length) break;
      const videoIds = batch.flatMap(({ videoId }) => videoId ?? []);
      await writer.removeAll(videoIds, author, signal);
      await events.deleteEvents(batch.map((event) => event.id));
    }
    await events.deleteSource(id);
  }
}

const isCurrent = (task: SourceTask, id: number, revision: number) =>
  task.id === id && task.revision === revision && task.removedMs === null;
