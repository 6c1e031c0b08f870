import { randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '@birdhub/shared/errors';
import { toBrokerAddress } from '@birdhub/shared/mqtt';
import { isDay, localDay, nextDay, previousDay } from '@birdhub/shared/time';
import { type ConnectionTest, testConnection } from '../connection-test.js';
import {
  type DayList,
  type DayQuery,
  dayCursorToJson,
  overlap,
  readDayPage,
  startAtDay,
  toDayCursor,
} from '../day-pages.js';
import { firstDayOf } from '../local-time.js';
import { listenToBroker } from '../mqtt-listener.js';
import { say } from '../sentences.js';
import {
  type FetchOutcome,
  type KnownEvent,
  type Mapped,
  type ReadRequest,
  type SourceConfig,
  type SourceKind,
  type Upstream,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamPage,
} from '../source-kind.js';
import { readNumber, readObject, readText, splitMapped } from '../upstream-values.js';
import { BirdNetGoApi } from './birdnet-go-api.js';
import { type BirdNetGoContext, extensionOfType, mapDetection } from './map-birdnet-go.js';

/** BirdNET-Go, read by its API v2. */
export const birdnetGo: SourceKind = {
  name: 'birdnet-go',
  canWriteBack: false,
  hasOneBirdPerEvent: true,
  // Users verify detections, mostly within days.
  rereadDays: 7,
  check({ url, username, password }) {
    const problems = [];
    if (url === undefined)
      problems.push(
        refuse('/url', 'address_needed', { program: 'BirdNET-Go', example: 'http://birdnet-go:8080' }),
      );
    if (username !== undefined && password === undefined)
      problems.push(refuse('/password', 'needed_with_user'));
    return problems;
  },
  open: (config, deps) => new BirdNetGo(config, deps),
};

/** Maximum detections of a response. */
const maxResults = 1_000;
const spareResults = 50;
const maxClipBytes = 256 * 1024 * 1024;
const versionTtlMs = 60 * 60_000;
/** The stream may be opened ten times per minute. */
const streamWindowMs = 60_000;
const maxStreams = 8;
/** A clip that is not written by then will not tell its format. */
const maxFormatWaitMs = 10 * 60_000;
/** Before any detection. Versions that ignore the requested days return detections for it. */
const dayWithoutBirds = '2000-01-01';

/** Reads the detections of a BirdNET-Go by its API v2. */
class BirdNetGo implements Upstream {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  readonly #api: BirdNetGoApi;
  #version: { readonly text: string; readonly until: number } | undefined;
  #extension: string | undefined;
  /** Since when the format of clips could not be detected, as they are being written. */
  #formatAwaitedSince: number | undefined;
  #requests: number;
  #streamsOpened: number[] = [];

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#api = new BirdNetGoApi(config, deps.http, deps.clock);
    // Starts at a different value after each restart.
    this.#requests = Math.floor(deps.clock.now() / 1000) % (24 * spareResults);
  }

  test(signal: AbortSignal): ReturnType<Upstream['test']> {
    const test: ConnectionTest<unknown> = {
      address: async () => {
        await this.#deps.http.request('api/v2/app/config', { signal });
        return say('responds');
      },
      login: async () => {
        await this.#api.login(signal);
        return this.#config.password ? say('login_right') : say('login_not_given');
      },
      version: async () => {
        this.#version = undefined;
        const version = await this.#readVersion(signal);
        await this.#list({ day: dayWithoutBirds, offset: 0, limit: overlap }, dayWithoutBirds, signal);
        return say('is_version', { version });
      },
      list: () => this.#listNewest(signal),
      map: async (items) => {
        const context = await this.#context(false, signal);
        return items.map((item) => mapDetection(item, context));
      },
      noBirds: say('no_birds_heard', { program: 'BirdNET-Go' }),
      withoutClips: [say('exports_clips'), say('without_sound')],
    };
    return testConnection(this, test, signal);
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage> {
    const zone = this.#config.options.timezone;
    const cursor = toDayCursor(request.cursor) ?? startAtDay(firstDayOf(request.since, zone));
    // The station's time zone may differ from the local one by up to half a day.
    const lastDay = nextDay(localDay(zone, request.until ?? this.#deps.clock.now()));
    if (cursor.day > lastDay)
      return { events: [], dropped: [], cursor: dayCursorToJson(cursor), isLast: true };
    const limit = Math.max(1, Math.min(request.limit, maxResults - overlap - spareResults));
    const page = await readDayPage(cursor, limit, (query) => this.#list(query, lastDay, signal));
    const context = await this.#context(false, signal, page.values);
    const { events, dropped } = splitMapped(
      page.values.map((item) => mapDetection(item, context)),
      request,
    );
    return { events, dropped, cursor: dayCursorToJson(page.cursor), isLast: page.isLast };
  }

  async readAgain(event: KnownEvent, signal: AbortSignal): Promise<Mapped | undefined> {
    const item = await this.#api.get(`detections/${encodeURIComponent(event.upstreamId)}`, {}, signal);
    if (item === undefined || String(readObject(item)['id']) !== event.upstreamId) return undefined;
    return mapDetection(item, await this.#context(true, signal, [item]));
  }

  async fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome> {
    const id = readNumber(readObject(event.reference)['id']);
    if (id === undefined) return { outcome: 'never', reason: say('clip_unnamed', { program: 'BirdNET-Go' }) };
    const { status, headers } = await this.#api.download(id, file, maxClipBytes, signal);
    if (status === 200) return { outcome: 'ready' };
    if (status === 404 || status === 410)
      return { outcome: 'never', reason: say('clip_none', { program: 'BirdNET-Go' }) };
    const seconds = readNumber([headers['retry-after']].flat()[0]);
    return {
      outcome: 'later',
      reason: status === 503 ? say('clip_being_written') : say('status', { status, program: 'BirdNET-Go' }),
      retryAfterMs: seconds === undefined ? undefined : Math.min(Math.max(seconds, 1), 3_600) * 1000,
    };
  }

  async listen(notify: () => void, signal: AbortSignal): Promise<void> {
    const { mqttUrl, mqttTopicPrefix = 'birdnet' } = this.#config.options;
    if (mqttUrl !== undefined) {
      const address = toBrokerAddress({ broker: mqttUrl, port: 1883, username: '', password: '' });
      if (!address) throw new UpstreamError('address', say('broker_address'));
      const topics = [mqttTopicPrefix];
      const { guard } = this.#deps;
      return listenToBroker({ address, guard, topics, onMessage: notify, onSubscribed: notify }, signal);
    }
    await this.#awaitStream(signal);
    for await (const { event } of this.#api.events(signal)) {
      // `connected` triggers a read of detections that arrived before the connection.
      if (event === 'connected' || event === 'detection') notify();
    }
  }

  async close(): Promise<void> {
    this.#version = undefined;
  }

  /** Waits while the rate limit of the stream is exhausted. */
  async #awaitStream(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const now = clock.now();
    this.#streamsOpened = this.#streamsOpened.filter((at) => at > now - streamWindowMs);
    const oldest = this.#streamsOpened.at(-maxStreams);
    if (oldest !== undefined) await pause(oldest + streamWindowMs - now, undefined, { signal, ref: false });
    this.#streamsOpened.push(clock.now());
  }

  async #list(
    { day, offset, limit }: DayQuery,
    lastDay: string,
    signal: AbortSignal,
  ): Promise<DayList<unknown>> {
    const query = {
      queryType: 'all',
      start_date: day,
      end_date: lastDay,
      sortBy: 'date_asc',
      offset,
      ...this.#avoidCache(limit),
    };
    const { data, total } = readObject(await this.#getOrFail('detections', query, signal));
    if (!Array.isArray(data)) throw new UpstreamError('version', say('odd_list'));
    const values: readonly unknown[] = data.slice(0, limit);
    const days = values.map(readDay);
    requireDays(
      days.filter((one) => one !== undefined),
      day,
      lastDay,
    );
    const items = values.map((value, at) => ({
      id: String(readObject(value)['id']),
      day: days[at] ?? day,
      value,
    }));
    return { items, total: readNumber(total) };
  }

  /**
   * BirdNET-Go caches responses for five minutes by query. This varies the query: `duration` (1 to 24) has no effect
   * without an hour, and `numResults` may be larger than needed.
   */
  #avoidCache(limit: number): { readonly duration: number; readonly numResults: number } {
    this.#requests += 1;
    const more = Math.floor(this.#requests / 24) % spareResults;
    return { duration: 1 + (this.#requests % 24), numResults: limit + more };
  }

  async #listNewest(signal: AbortSignal): Promise<readonly unknown[]> {
    const items = await this.#getOrFail('detections/recent', { limit: 50 }, signal);
    if (!Array.isArray(items)) throw new UpstreamError('version', say('odd_list'));
    return items;
  }

  async #getOrFail(
    path: string,
    query: Record<string, string | number>,
    signal: AbortSignal,
  ): Promise<unknown> {
    const found = await this.#api.get(path, query, signal);
    if (found !== undefined) return found;
    throw new UpstreamError('version', say('no_api_path', { path }));
  }

  async #context(
    isKnown: boolean,
    signal: AbortSignal,
    items: readonly unknown[] = [],
  ): Promise<BirdNetGoContext> {
    const { timezone, minConfidence, labels = ['bird'] } = this.#config.options;
    const processorVersion = await this.#readVersion(signal);
    const extension = await this.#detectExtension(isKnown, items, signal);
    return { zone: timezone, minConfidence, labels, processorVersion, extension, isKnown };
  }

  async #readVersion(signal: AbortSignal): Promise<string> {
    const now = this.#deps.clock.now();
    if (this.#version && this.#version.until > now) return this.#version.text;
    const { version } = readObject(await this.#getOrFail('app/config', {}, signal));
    const text = ['birdnet-go', readText(version)?.slice(0, 60)].filter(Boolean).join(' ');
    this.#version = { text, until: now + versionTtlMs };
    return text;
  }

  /**
   * In versions that do not return the names of clips, the format is detected by downloading one.
   * @throws UpstreamError when the clip of a new bird is still being written, as its path is permanent; for ten minutes at
   * most
   */
  async #detectExtension(isKnown: boolean, items: readonly unknown[], signal: AbortSignal): Promise<string> {
    if (this.#extension !== undefined) return this.#extension;
    const unnamed = items.map(readObject).filter(({ clipName }) => readText(clipName) === undefined);
    let isBeingWritten = false;
    for (const { id } of unnamed.slice(-3)) {
      const number = readNumber(id);
      if (number === undefined) continue;
      const file = join(tmpdir(), `birdhub-format-${randomUUID()}`);
      try {
        const { status, headers } = await this.#api.download(number, file, maxClipBytes, signal);
        if (status === 200) this.#extension = extensionOfType([headers['content-type']].flat()[0]);
        if (status === 503) isBeingWritten = true;
      } finally {
        await unlink(file).catch(() => undefined);
      }
      if (this.#extension !== undefined) return this.#extension;
    }
    if (isKnown) return '.wav';
    if (!isBeingWritten) this.#formatAwaitedSince = undefined;
    else {
      const now = this.#deps.clock.now();
      this.#formatAwaitedSince ??= now;
      if (now - this.#formatAwaitedSince < maxFormatWaitMs)
        throw new UpstreamError('clip', say('clip_format_awaited'));
    }
    return '.wav';
  }
}

/** Returns the day of a detection in the time zone of the station. */
function readDay(value: unknown): string | undefined {
  const day = readText(readObject(value)['date']);
  return day !== undefined && isDay(day) ? day : undefined;
}

/** Old versions ignore the requested days and order, so that reading would not end. @throws UpstreamError */
function requireDays(days: readonly string[], first: string, last: string): void {
  // A day more, for zones.
  const [from, until] = [previousDay(first), nextDay(last)];
  const isKept = days.every((day, at) => day >= from && day <= until && day >= (days[at - 1] ?? day));
  if (!isKept) throw new UpstreamError('version', say('birdnet_go_old'));
}
