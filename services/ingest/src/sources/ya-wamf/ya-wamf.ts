import { refuse } from '@birdhub/shared/errors';
import { dayMs, isDay, localDay } from '@birdhub/shared/time';
import { type ConnectionTest, testConnection } from '../connection-test.js';
import {
  type DayList,
  type DayQuery,
  dayCursorToJson,
  readDayPage,
  startAtDay,
  toDayCursor,
} from '../day-pages.js';
import { firstDayOf } from '../local-time.js';
import { say } from '../sentences.js';
import {
  type FetchOutcome,
  type KnownEvent,
  type Mapped,
  type ReadRequest,
  type SourceConfig,
  type SourceKind,
  type SourceRequest,
  type SourceResponse,
  type Upstream,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamPage,
} from '../source-kind.js';
import { isFrigateId, readObject, readText, splitMapped } from '../upstream-values.js';
import { mapItem, type YaWamfContext } from './map-ya-wamf.js';

/** YA-WAMF, read by its API: classified events of Frigate with favourites and manual names. */
export const yaWamf: SourceKind = {
  name: 'ya-wamf',
  canWriteBack: false,
  hasOneBirdPerEvent: true,
  // Users rename birds later.
  rereadDays: 7,
  check({ url, username, password }) {
    const problems = [];
    if (url === undefined)
      problems.push(refuse('/url', 'address_needed', { program: 'YA-WAMF', example: 'http://ya-wamf:9852' }));
    if (username !== undefined && password === undefined)
      problems.push(refuse('/password', 'needed_with_user'));
    return problems;
  },
  open: (config, deps) => new YaWamf(config, deps),
};

/** YA-WAMF queries Frigate for each event of a page, so large pages are too slow. */
const maxPage = 100;
const maxClipBytes = 1024 * 1024 * 1024;
const loginPauseMs = 5 * 60_000;

/** Reads the events of a YA-WAMF by its API. */
class YaWamf implements Upstream {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  #token: string | undefined;
  #loginFailure: { readonly error: UpstreamError; readonly until: number } | undefined;
  #version: string | undefined;

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
  }

  test(signal: AbortSignal): ReturnType<Upstream['test']> {
    const test: ConnectionTest<unknown> = {
      address: async () => {
        await this.#deps.http.request('api/auth/status', { signal });
        return say('responds');
      },
      login: async () => {
        await this.#login(signal);
        return this.#config.username ? say('login_right') : say('login_not_needed');
      },
      version: async () => say('is_version', { version: await this.#readVersion(signal) }),
      list: () => this.#getList({ limit: 50, sort: 'newest' }, signal),
      map: async (items) => {
        const context = await this.#context(false, signal);
        return items.map((item) => mapItem(item, context));
      },
      noBirds: say('no_birds_seen', { program: 'YA-WAMF' }),
      withoutClips: [say('without_clips')],
    };
    return testConnection(this, test, signal);
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage> {
    const cursor = toDayCursor(request.cursor) ?? startAtDay(firstDayOf(request.since, 'UTC'));
    const limit = Math.max(1, Math.min(request.limit, maxPage));
    const page = await readDayPage(cursor, limit, (query) => this.#list(query, signal));
    const context = await this.#context(false, signal);
    const { events, dropped } = splitMapped(
      page.values.map((item) => mapItem(item, context)),
      request,
    );
    const isPast = request.until !== undefined && page.cursor.day > localDay('UTC', request.until + dayMs);
    return { events, dropped, cursor: dayCursorToJson(page.cursor), isLast: page.isLast || isPast };
  }

  async readAgain(event: KnownEvent, signal: AbortSignal): Promise<Mapped | undefined> {
    const days = { start_date: localDay('UTC', event.start), end_date: localDay('UTC', event.end) };
    // Older versions ignore the filter by id and return the whole day.
    for (let offset = 0; offset < 5_000; offset += maxPage) {
      const query = {
        ...days,
        event_id: event.upstreamId,
        include_hidden: 'true',
        sort: 'oldest',
        limit: maxPage,
        offset,
      };
      const items = await this.#getList(query, signal);
      const item = items.find((one) => readObject(one)['frigate_event'] === event.upstreamId);
      if (item !== undefined) return mapItem(item, await this.#context(true, signal));
      if (items.length < maxPage) return undefined;
    }
    return undefined;
  }

  async fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome> {
    const id = readText(readObject(event.reference)['id']) ?? '';
    if (!isFrigateId(id)) return { outcome: 'never', reason: say('no_frigate_id') };
    const path = `api/frigate/${encodeURIComponent(id)}/clip.mp4`;
    const { status } = await this.#withLogin(signal, (headers) =>
      this.#deps.http.download(path, file, { maxBytes: maxClipBytes, headers, signal }),
    );
    if (status === 200) return { outcome: 'ready' };
    if (status === 404 || status === 410) return { outcome: 'never', reason: say('clip_gone_both') };
    if (status === 403) return { outcome: 'never', reason: say('may_not_fetch', { program: 'YA-WAMF' }) };
    return { outcome: 'later', reason: say('status', { status, program: 'YA-WAMF' }) };
  }

  async listen(notify: () => void, signal: AbortSignal): Promise<void> {
    await this.#login(signal);
    for await (const { data } of this.#deps.http.events('api/sse', { headers: this.#headers(), signal })) {
      if (/"type":\s*"(connected|detection)/.test(data)) notify();
    }
  }

  async close(): Promise<void> {
    this.#token = undefined;
  }

  async #context(isKnown: boolean, signal: AbortSignal): Promise<YaWamfContext> {
    const { minConfidence } = this.#config.options;
    return { minConfidence, processorVersion: await this.#readVersion(signal), isKnown };
  }

  async #list({ day, offset, limit }: DayQuery, signal: AbortSignal): Promise<DayList<unknown>> {
    const values = await this.#getList({ start_date: day, sort: 'oldest', limit, offset }, signal);
    const items = values.slice(0, limit).map((value) => {
      const { frigate_event, detection_time } = readObject(value);
      const given = (readText(detection_time) ?? '').slice(0, 10);
      return { id: String(frigate_event), day: isDay(given) ? given : day, value };
    });
    return { items, total: undefined };
  }

  async #getList(
    query: NonNullable<SourceRequest['query']>,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const response = await this.#withLogin(signal, (headers) =>
      this.#deps.http.request('api/events', { query, headers, signal }),
    );
    const items = parse(response);
    if (!Array.isArray(items)) throw notYaWamf();
    return items;
  }

  async #readVersion(signal: AbortSignal): Promise<string> {
    if (this.#version !== undefined) return this.#version;
    const response = await this.#deps.http.request('health', { signal });
    // A reverse proxy may not forward this path.
    const version =
      response.status === 200 ? readText(readObject(tryParse(response.text))['version']) : undefined;
    this.#version = ['ya-wamf', version?.slice(0, 60)].filter(Boolean).join(' ');
    return this.#version;
  }

  #headers(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }

  /** @throws UpstreamError */
  async #login(signal: AbortSignal): Promise<void> {
    if (this.#token !== undefined) return;
    const failed = this.#loginFailure;
    if (failed && failed.until > this.#deps.clock.now()) throw failed.error;
    try {
      this.#token = await this.#openSession(signal);
    } catch (error) {
      if (error instanceof UpstreamError && error.stage === 'login')
        this.#loginFailure = { error, until: this.#deps.clock.now() + loginPauseMs };
      throw error;
    }
  }

  /** Returns a token; empty when no login is required. Guests silently get only the first pages. */
  async #openSession(signal: AbortSignal): Promise<string> {
    const { username, password = '' } = this.#config;
    if (!username) {
      const status = readObject(parse(await this.#deps.http.request('api/auth/status', { signal })));
      if (status['auth_required'] !== true) return '';
      throw new UpstreamError('login', say('needs_login_for_all', { program: 'YA-WAMF' }));
    }
    const response = await this.#deps.http.request('api/auth/login', {
      method: 'POST',
      body: { username, password },
      signal,
    });
    if (response.status === 400) return '';
    if (response.status === 401 || response.status === 422)
      throw new UpstreamError('login', say('login_wrong', { program: 'YA-WAMF' }));
    if (response.status === 429)
      throw new UpstreamError('login', say('login_too_often', { program: 'YA-WAMF' }));
    const token = readText(readObject(parse(response))['access_token']);
    if (token === undefined) throw notYaWamf();
    return token;
  }

  /** Runs a request; logs in again and retries when the token has expired. @throws UpstreamError */
  async #withLogin<T extends { readonly status: number }>(
    signal: AbortSignal,
    request: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    await this.#login(signal);
    const first = await request(this.#headers());
    if (first.status !== 401) return first;
    this.#token = undefined;
    await this.#login(signal);
    const second = await request(this.#headers());
    if (second.status === 401)
      throw new UpstreamError('permission', say('may_not_read', { program: 'YA-WAMF' }));
    return second;
  }
}

const notYaWamf = () => new UpstreamError('version', say('not_ya_wamf'));

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws UpstreamError */
function parse({ status, text }: SourceResponse): unknown {
  if (status === 404 || status === 405) throw notYaWamf();
  if (status === 403) throw new UpstreamError('permission', say('may_not_read', { program: 'YA-WAMF' }));
  if (status !== 200) throw new UpstreamError('birds', say('status', { status, program: 'YA-WAMF' }));
  const value = tryParse(text);
  if (value === undefined) throw notYaWamf();
  return value;
}
