import { randomUUID } from 'node:crypto';
import { createLoop, type Loop, pauseUnlessAborted, withAnySignal } from '@birdhub/shared/async';
import { errorMessage } from '@birdhub/shared/errors';
import { type Clock, hourMs } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import { PageWatch } from './page-watch.js';
import { describeRefusal, type Sentence, say } from './sentences.js';
import {
  type ReadProgress,
  SourceChangedError,
  type SourceEventStore,
  type StoredEvent,
  toKnownEvent,
} from './source-events.store.js';
import type { SourceIntake } from './source-intake.js';
import {
  type DroppedEvent,
  type SourceKind,
  type Upstream,
  UpstreamError,
  type UpstreamEvent,
} from './source-kind.js';
import type { SourceMedia } from './source-media.js';
import { type StoredSource, saveContact } from './sources.store.js';
import { nextReread } from './upstream-recording.js';

/** Dependencies of a session. */
export interface SourceSessionDeps {
  readonly pool: pg.Pool;
  readonly intake: Pick<SourceIntake, 'take'>;
  readonly events: SourceEventStore;
  readonly media: Pick<SourceMedia, 'fetch'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Polling interval without notifications. Default 30 s. */
  readonly pollIntervalMs?: number | undefined;
}

/** A source with an open connection. */
export interface OpenSource {
  readonly source: StoredSource;
  readonly kind: SourceKind;
  readonly upstream: Upstream;
}

const pageLimit = 200;
const defaultPollMs = 30_000;
/** All notifications within this time trigger a single read. */
const notifyDelayMs = 500;
const firstRetryMs = 5_000;
const maxRetryMs = 300_000;
const batchSize = 50;
const maxRereads = 4;
const maxFetches = 2;
/** Maximum age of events that were in progress when the source was added. */
const maxEarlyMs = hourMs;
/** Tolerance for times in whole seconds and for clock differences. */
const clockLagMs = 60_000;
const failedRereadMs = 60_000;
const minPauseMs = 250;
const maxWriteTries = 12;

/**
 * Processes one source: reads new events, reads events again, fetches files, and writes names back. Each of these is a
 * separate loop whose work is stored in the database, so that nothing is lost when it ends at any point.
 */
export class SourceSession {
  readonly #deps: SourceSessionDeps;
  readonly #open: OpenSource;
  readonly #log: Logger;
  readonly #loops: readonly Loop[];
  readonly #reading: Loop;
  readonly #rereading: Loop;
  readonly #fetching: Loop;
  readonly #writing: Loop;
  readonly #ending = new AbortController();
  #listening: Promise<void> = Promise.resolve();
  #cursor: StoredSource['cursor'];
  #isFailing = false;

  constructor(deps: SourceSessionDeps, open: OpenSource) {
    this.#deps = deps;
    this.#open = open;
    const { source } = open;
    this.#cursor = source.cursor;
    this.#log = deps.log.child({ source_id: source.id, kind: source.kind });
    const everyMs = deps.pollIntervalMs ?? defaultPollMs;
    const loop = (
      task: string,
      work: (signal: AbortSignal) => Promise<number | undefined>,
      { wakeDelayMs = 0, onError }: { wakeDelayMs?: number; onError?: (error: unknown) => void } = {},
    ) =>
      createLoop({
        work: (signal) => withAnySignal([signal, this.#ending.signal], work),
        everyMs,
        retryMs: Math.min(firstRetryMs, everyMs),
        maxRetryMs,
        wakeDelayMs,
        onError: (error, failures) => {
          if (error instanceof SourceChangedError || this.#ending.signal.aborted) return;
          if (failures === 1) this.#log.warn({ err: error, task }, 'task of the source failed');
          onError?.(error);
        },
      });
    this.#reading = loop('read', (signal) => this.#read(signal), {
      wakeDelayMs: notifyDelayMs,
      onError: (error) => this.#saveFailure(error),
    });
    this.#rereading = loop('reread', (signal) => this.#readAgain(signal));
    this.#fetching = loop('fetch files', (signal) => this.#fetch(signal));
    this.#writing = loop('write names back', (signal) => this.#writeNames(signal));
    this.#loops = [this.#reading, this.#rereading, this.#fetching, this.#writing];
  }

  start(): void {
    const { source, kind } = this.#open;
    this.#reading.start();
    this.#rereading.start();
    this.#fetching.start();
    if (kind.canWriteBack && source.options.writeBack) this.#writing.start();
    this.#listening = this.#listen();
  }

  /** Checks for work immediately. */
  wake(): void {
    for (const loop of [this.#rereading, this.#fetching]) loop.wake();
    const { source, kind } = this.#open;
    if (kind.canWriteBack && source.options.writeBack) this.#writing.wake();
  }

  /** Stops all loops; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#ending.abort(new Error('the session is closing'));
    await Promise.all([...this.#loops.map((loop) => loop.stop()), this.#listening]);
    await this.#open.upstream
      .close()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'connection to the source not closed'));
  }

  /** Reads new events, page by page. */
  async #read(signal: AbortSignal): Promise<undefined> {
    const { source, upstream } = this.#open;
    const { clock } = this.#deps;
    const watch = new PageWatch();
    let cursor = this.#cursor;
    for (;;) {
      const startedAt = clock.now();
      const page = await upstream.read(
        { cursor, since: source.since - clockLagMs, limit: pageLimit },
        signal,
      );
      watch.check(page, cursor);
      const events = page.events.filter(({ end, isOpen }) => isOpen || !(end < source.since - maxEarlyMs));
      const latest = Math.max(...page.events.map(({ start }) => Math.min(start, startedAt)), 0);
      const readUntil = page.isLast || !latest ? startedAt : latest;
      const { hasStored } = await this.#take(
        { events, dropped: page.dropped, progress: { cursor: page.cursor, readUntil } },
        signal,
      );
      this.#cursor = page.cursor;
      cursor = page.cursor;
      if (hasStored) this.wake();
      if (page.isLast) break;
    }
    if (this.#isFailing) this.#log.info('source reachable again');
    this.#isFailing = false;
  }

  #take(
    page: {
      readonly events: readonly UpstreamEvent[];
      readonly dropped: readonly DroppedEvent[];
      readonly progress?: ReadProgress;
    },
    signal: AbortSignal,
  ) {
    const { source, kind } = this.#open;
    const requestId = `source-${source.id}-${randomUUID().slice(0, 8)}`;
    return this.#deps.intake.take({ ...page, source, kind, wantsMedia: true, requestId, signal });
  }

  /**
   * Reads again events that are in progress, may get a name late, or may be verified. Returns the delay until the next
   * one is due.
   */
  async #readAgain(signal: AbortSignal): Promise<number | undefined> {
    const { events: store, clock } = this.#deps;
    const { source } = this.#open;
    for (;;) {
      const now = clock.now();
      const due = await store.leaseRereads(source.id, now, now + failedRereadMs, batchSize);
      if (!due.length) return this.#untilDue('reread');
      const limit = pLimit(maxRereads);
      const failures: unknown[] = [];
      const found = await Promise.all(
        due.map((event) =>
          limit(() => this.#readOneAgain(event, signal)).catch((error: unknown) => {
            failures.push(error);
            return undefined;
          }),
        ),
      );
      signal.throwIfAborted();
      const events = found.flatMap((one) => one?.event ?? []);
      const dropped = found.flatMap((one) => one?.dropped ?? []);
      if (events.length || dropped.length) await this.#take({ events, dropped }, signal);
      this.#fetching.wake();
      if (failures.length === due.length) throw failures[0];
    }
  }

  /** Returns the time until something is due, in ms. */
  async #untilDue(what: 'reread' | 'media'): Promise<number | undefined> {
    const { events: store, clock, pollIntervalMs = defaultPollMs } = this.#deps;
    const next = (await store.findNextDue(this.#open.source.id))[what];
    return next === null ? undefined : Math.min(Math.max(next - clock.now(), minPauseMs), pollIntervalMs);
  }

  async #readOneAgain(
    event: StoredEvent,
    signal: AbortSignal,
  ): Promise<{ readonly event?: UpstreamEvent; readonly dropped?: DroppedEvent }> {
    signal.throwIfAborted();
    const found = await this.#open.upstream.readAgain(toKnownEvent(event), signal);
    const { upstreamId, start } = event;
    if (found && 'event' in found) return { event: { ...found.event, upstreamId } };
    // Events that were deleted or are skipped upstream stay unchanged.
    const isStored = event.videoId !== null;
    const rereadAfterMs = isStored ? found?.dropped.rereadAfterMs : undefined;
    const next =
      rereadAfterMs &&
      nextReread({ isOpen: false, end: event.end, rereadAfterMs }, 0, this.#deps.clock.now());
    await this.#deps.events.scheduleReread(event.id, next);
    if (isStored) return {};
    const reason = found?.dropped.reason ?? say('gone_while_open');
    return { dropped: { upstreamId, at: start, reason } };
  }

  /** Fetches files. Returns the delay until the next one is due. */
  async #fetch(signal: AbortSignal): Promise<number | undefined> {
    const { events: store, media, clock } = this.#deps;
    const { source, upstream } = this.#open;
    for (;;) {
      const waiting = await store.listWaiting(source.id, clock.now(), batchSize);
      if (!waiting.length) return this.#untilDue('media');
      const limit = pLimit(maxFetches);
      const failures: unknown[] = [];
      await Promise.all(
        waiting.map((event) =>
          limit(async () => {
            // Stops at the first failure, as upstream is unreachable.
            if (signal.aborted || failures.length) return;
            await media.fetch(upstream, event, signal).catch((error: unknown) => failures.push(error));
          }),
        ),
      );
      signal.throwIfAborted();
      this.#rereading.wake();
      if (failures.length) throw failures[0];
    }
  }

  async #writeNames(signal: AbortSignal): Promise<undefined> {
    const { events: store, clock } = this.#deps;
    const { source } = this.#open;
    for (const event of await store.listWrites(source.id, clock.now(), batchSize)) {
      const names = event.writeNames ?? {};
      try {
        for (const [trackId, name] of Object.entries(names)) {
          signal.throwIfAborted();
          await this.#open.upstream.writeName?.(toKnownEvent(event), name, signal, trackId || undefined);
        }
        await store.saveWriteOutcome(event.id, names, undefined);
      } catch (error) {
        signal.throwIfAborted();
        const isOver = event.writeTries >= maxWriteTries;
        this.#log.warn({ err: error, upstream_id: event.upstreamId, isOver }, 'name not written back');
        const delayMs = Math.min(firstRetryMs * 2 ** event.writeTries, maxRetryMs * 6);
        await store.saveWriteOutcome(
          event.id,
          isOver ? names : {},
          isOver ? undefined : clock.now() + delayMs,
        );
      }
    }
  }

  /** Triggers a read on each notification of upstream; polling continues. */
  async #listen(): Promise<void> {
    const { upstream } = this.#open;
    const { signal } = this.#ending;
    if (!upstream.listen) return;
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = this.#deps.clock.now();
      try {
        await upstream.listen(() => this.#reading.wake(), signal);
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0)
          this.#log.info({ reason: errorMessage(error) }, 'listening to the source failed, polling only');
      }
      const wasLong = this.#deps.clock.now() - startedAt > maxRetryMs;
      failures = wasLong ? 1 : failures + 1;
      const delayMs = Math.min(firstRetryMs * 2 ** (failures - 1), maxRetryMs);
      await pauseUnlessAborted(delayMs, signal);
    }
  }

  #saveFailure(error: unknown): void {
    this.#isFailing = true;
    const { source } = this.#open;
    const note = { id: source.id, revision: source.revision, sentences: describeFailure(error) };
    saveContact(this.#deps.pool, note).catch((failure: unknown) =>
      this.#log.warn({ err: failure }, 'state of the source not stored'),
    );
  }
}

/** Returns the messages about an error for the user. */
export function describeFailure(error: unknown): readonly Sentence[] {
  if (error instanceof UpstreamError) return error.sentences;
  return [describeRefusal(error) ?? say('unreadable')];
}
