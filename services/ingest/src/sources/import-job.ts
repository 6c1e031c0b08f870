import { setTimeout as pause } from 'node:timers/promises';
import {
  type ImportParameters,
  type ImportResult,
  JobFailedError,
  type JobProgress,
  type TaskJobKind,
  type TaskRun,
} from '@birdhub/domain/jobs';
import { shownSentences } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import { PageWatch } from './page-watch.js';
import { describeRefusal, type Sentence, say, toEnglish } from './sentences.js';
import { SourceChangedError } from './source-events.store.js';
import type { SourceIntake } from './source-intake.js';
import {
  type DroppedEvent,
  type Json,
  type Upstream,
  UpstreamError,
  type UpstreamPage,
} from './source-kind.js';
import type { SourceStore, StoredSource } from './sources.store.js';
import type { UpstreamOpener } from './upstream-opener.js';

/** Dependencies of the import job. */
export interface ImportJobDeps {
  readonly sources: Pick<SourceStore, 'find'>;
  readonly opener: UpstreamOpener;
  readonly intake: Pick<SourceIntake, 'take'>;
  /** Called when there are files to fetch. */
  readonly onStored: () => void;
  readonly clock: Clock;
  /** Delay before a failed page is read again, doubled each time. Default 2 s. */
  readonly retryMs?: number;
}

const pageLimit = 500;
const maxAttempts = 6;
const maxReasons = 50;

interface ReasonCount {
  readonly reason: Sentence;
  readonly count: number;
}

/** The state of an import, from which a paused one is resumed. */
interface ImportState {
  readonly cursor: Json | undefined;
  readonly taken: number;
  readonly known: number;
  readonly reasons: readonly ReasonCount[];
  /** Start of the latest event, in ms. */
  readonly latest: number | null;
}

/** Imports the history of a source page by page, with the code of live reading and concurrently with it. */
export function createImportJob(deps: ImportJobDeps): TaskJobKind {
  return {
    name: 'import',
    async perform(run) {
      if (!('sourceId' in run.parameters)) throw new Error('import job without a source id');
      const parameters = run.parameters;
      const source = await findSource(deps, parameters);
      const upstream = await deps.opener.open(source.kind, source);
      const attempt = new Import(deps, { run, parameters, source, upstream });
      try {
        return await attempt.perform();
      } catch (error) {
        run.signal.throwIfAborted();
        const sentences = explain(error);
        if (!sentences) throw error;
        await attempt.report();
        throw new JobFailedError(toEnglish(sentences), sentences, { cause: error });
      } finally {
        await upstream.close();
      }
    },
  };
}

async function findSource({ sources }: ImportJobDeps, { sourceId }: ImportParameters): Promise<StoredSource> {
  const source = await sources.find(sourceId);
  const deleted = say('source_deleted');
  if (!source) throw new JobFailedError(toEnglish(deleted), [deleted]);
  return source;
}

/** Returns the reasons of a failure for the user; undefined for errors that are retried, such as an unavailable database. */
function explain(error: unknown): readonly Sentence[] | undefined {
  if (error instanceof UpstreamError) return error.sentences;
  if (error instanceof SourceChangedError) return [say('source_deleted')];
  const refusal = describeRefusal(error);
  return refusal && [refusal];
}

interface ImportContext {
  readonly run: TaskRun;
  readonly parameters: ImportParameters;
  readonly source: StoredSource;
  readonly upstream: Upstream;
}

class Import {
  readonly #deps: ImportJobDeps;
  readonly #context: ImportContext;
  readonly #since: number;
  readonly #until: number;
  readonly #watch = new PageWatch();
  #state: ImportState;

  constructor(deps: ImportJobDeps, context: ImportContext) {
    this.#deps = deps;
    this.#context = context;
    this.#since = Date.parse(context.parameters.since);
    this.#until = Date.parse(context.parameters.until);
    const checkpoint = context.run.checkpoint as unknown as ImportState | undefined;
    this.#state = checkpoint ?? { cursor: undefined, taken: 0, known: 0, reasons: [], latest: null };
  }

  async perform(): Promise<ImportResult> {
    let next = this.#read(this.#state.cursor ?? undefined);
    for (;;) {
      const page = await next;
      this.#watch.check(page, this.#state.cursor);
      const isLast =
        page.isLast || (page.events.length > 0 && page.events.every((one) => one.start >= this.#until));
      // The next page is read while this one is stored.
      if (!isLast) {
        next = this.#read(page.cursor);
        next.catch(() => undefined);
      }
      await this.#take(page);
      await this.report(isLast);
      if (isLast) return this.#result();
    }
  }

  /** Reads a page; an unreachable upstream is retried for a minute. */
  async #read(cursor: Json | undefined): Promise<UpstreamPage> {
    const { upstream, run } = this.#context;
    const { retryMs = 2_000 } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const request = { cursor, since: this.#since, until: this.#until, limit: pageLimit };
        return await upstream.read(request, run.signal);
      } catch (error) {
        run.signal.throwIfAborted();
        if (!(error instanceof UpstreamError) || attempt === maxAttempts) throw error;
        await pause(retryMs * 2 ** (attempt - 1), undefined, { signal: run.signal });
      }
    }
  }

  async #take(page: UpstreamPage): Promise<void> {
    const { run, source, parameters } = this.#context;
    const events = page.events.filter(({ start }) => !(start < this.#since) && !(start >= this.#until));
    const { taken, known, hasStored, dropped } = await this.#deps.intake.take({
      source,
      kind: this.#deps.opener.kindOf(source.kind),
      events,
      dropped: page.dropped,
      wantsMedia: parameters.media === 'all',
      requestId: `import-${source.id}-${Math.floor(run.startedAt.getTime() / 1000)}`,
      signal: run.signal,
    });
    if (hasStored && parameters.media === 'all') this.#deps.onStored();
    this.#state = {
      cursor: page.cursor,
      taken: this.#state.taken + taken,
      known: this.#state.known + known,
      reasons: addReasons(this.#state.reasons, dropped),
      latest: events.reduce<number | null>(
        (latest, { start }) => Math.max(latest ?? start, start),
        this.#state.latest,
      ),
    };
  }

  /** The total is extrapolated from the time range read so far. */
  #progress(isLast: boolean): JobProgress {
    const { taken, known, latest } = this.#state;
    const leftOut = this.#result().reasons.reduce((sum, { count }) => sum + count, 0);
    const processed = taken + known + leftOut;
    const end = Math.min(this.#until, this.#deps.clock.now());
    const share = latest === null ? 0 : (latest - this.#since) / Math.max(1, end - this.#since);
    const isEstimated = !isLast && share > 0.001;
    const total = isEstimated ? Math.max(processed, Math.round(processed / Math.min(share, 1))) : processed;
    return { total, processed, generated: taken, failed: 0, skipped: known + leftOut, failures: [] };
  }

  /** Stores the result so far. */
  async report(isLast = true): Promise<void> {
    const checkpoint = { ...this.#state };
    await this.#context.run.report(this.#progress(isLast), { checkpoint, result: this.#result() });
  }

  #result(): ImportResult {
    const { taken, known, reasons } = this.#state;
    const listed = reasons.map(({ reason, count }) => ({
      reason: toEnglish(reason),
      sentences: shownSentences([reason]),
      count,
    }));
    const sorted = listed.sort((one, other) => other.count - one.count);
    return { imported: taken, already_known: known, reasons: sorted };
  }
}

/** Counts reasons. Those of low confidence count as one, whatever their values. */
function addReasons(
  counted: readonly ReasonCount[],
  dropped: readonly DroppedEvent[],
): readonly ReasonCount[] {
  const counts = new Map(counted.map((one) => [toEnglish(one.reason), one]));
  for (const { reason } of dropped) {
    const common = reason.code === 'low_confidence' ? say('none_confident') : reason;
    const isListed = counts.has(toEnglish(common)) || counts.size < maxReasons;
    const kept = isListed ? common : say('other_reasons');
    const key = toEnglish(kept);
    counts.set(key, { reason: kept, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
