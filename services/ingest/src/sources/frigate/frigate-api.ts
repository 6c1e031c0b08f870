import { type Sentence, say } from '../sentences.js';
import {
  type Json,
  type SourceConfig,
  type SourceDownload,
  type SourceRequest,
  type SourceResponse,
  type TestStageName,
  type UpstreamDeps,
  UpstreamError,
} from '../source-kind.js';
import {
  type Checked,
  checkEvent,
  checkReview,
  type FrigateCamera,
  type FrigateEvent,
  type FrigateReview,
  readCameras,
} from './frigate-records.js';

/** The version of a Frigate. */
export interface FrigateVersion {
  /** Such as `0.17.2`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
}

/** Parameters of a list. Records start strictly between the two instants, in unix seconds. */
export interface ListRequest {
  readonly after: number;
  readonly before: number | undefined;
  readonly limit: number;
}

const maxClipBytes = 2 * 1024 ** 3;
const maxSnapshotBytes = 32 * 1024 ** 2;
/** Maximum ids of one request, whose line must be shorter than the 8 kB of nginx. */
const idsPerRequest = 50;
/** Delay after a refused login, as Frigate blocks frequent attempts. */
const loginPauseMs = 60_000;
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Sends requests to the HTTP API of a Frigate; logs in when required. */
export class FrigateApi {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  #token: string | undefined;
  #loggingIn: Promise<string> | undefined;
  #refusal: { readonly error: UpstreamError; readonly at: number } | undefined;

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
  }

  /**
   * Returns the version without a login; undefined when a login is required. @throws UpstreamError when this is not a
   * Frigate
   */
  async probe(signal: AbortSignal): Promise<FrigateVersion | undefined> {
    const response = await this.#deps.http.request('/api/version', { signal });
    return response.status === 401 ? undefined : toVersion(response);
  }

  /** Returns the version. @throws UpstreamError when this is not a Frigate */
  async readVersion(signal: AbortSignal): Promise<FrigateVersion> {
    return toVersion(await this.#request('/api/version', { signal }));
  }

  /** Logs in, if a user is given. @throws UpstreamError */
  async login(signal: AbortSignal): Promise<void> {
    if (this.#config.username) this.#token = await this.#sendLogin(signal);
  }

  /** Returns the cameras of the configuration. @throws UpstreamError */
  async readCameras(signal: AbortSignal): Promise<FrigateCamera[]> {
    const cameras = readCameras(await this.#getJson('/api/config', {}, signal));
    if (!cameras) throw new UpstreamError('version', say('frigate_no_cameras'));
    return cameras;
  }

  /** Returns the role of the user, such as `admin`; undefined in versions without roles. @throws UpstreamError */
  async readRole(signal: AbortSignal): Promise<string | undefined> {
    const { status, text } = await this.#request('/api/profile', { signal });
    if (status !== 200) return undefined;
    const profile = parseJson(text) as { readonly role?: unknown } | null;
    return typeof profile?.role === 'string' ? profile.role : undefined;
  }

  /** Lists tracked objects, oldest first; the limit cuts off the newest. @throws UpstreamError */
  async listEvents(
    labels: readonly string[],
    { after, before, limit }: ListRequest,
    signal: AbortSignal,
  ): Promise<Checked<FrigateEvent>[]> {
    const query = { labels: labels.join(), after, before, limit, sort: 'date_asc', include_thumbnails: 0 };
    return toList(await this.#getJson('/api/events', query, signal), '/api/events').map(checkEvent);
  }

  /** Lists review segments, newest first; the limit cuts off the oldest. @throws UpstreamError */
  async listReviews(
    labels: readonly string[],
    { after, before, limit }: ListRequest,
    signal: AbortSignal,
  ): Promise<Checked<FrigateReview>[]> {
    // Objects with a name are listed as `bird-verified`.
    const objects = labels.flatMap((label) => [label, `${label}-verified`]);
    // 0 and 1 filter by the review state, depending on the version; other numbers select all.
    const query = { labels: objects.join(), after, before, limit, reviewed: 2 };
    return toList(await this.#getJson('/api/review', query, signal), '/api/review').map(checkReview);
  }

  /** Returns undefined when Frigate no longer has it. @throws UpstreamError */
  async findEvent(id: string, signal: AbortSignal): Promise<Checked<FrigateEvent> | undefined> {
    const row = await this.#findJson(`/api/events/${encodeURIComponent(id)}`, signal);
    return row === undefined ? undefined : checkEvent(row);
  }

  /** Returns undefined when Frigate no longer has it. @throws UpstreamError */
  async findReview(id: string, signal: AbortSignal): Promise<Checked<FrigateReview> | undefined> {
    const row = await this.#findJson(`/api/review/${encodeURIComponent(id)}`, signal);
    return row === undefined ? undefined : checkReview(row);
  }

  /** Returns the tracked objects that exist and are valid, by id. @throws UpstreamError */
  async findEvents(ids: readonly string[], signal: AbortSignal): Promise<Map<string, FrigateEvent>> {
    const found = new Map<string, FrigateEvent>();
    for (let first = 0; first < ids.length; first += idsPerRequest) {
      const part = ids.slice(first, first + idsPerRequest);
      for (const checked of await this.#findEventBatch(part, signal))
        if ('record' in checked) found.set(checked.record.id, checked.record);
    }
    return found;
  }

  async #findEventBatch(ids: readonly string[], signal: AbortSignal): Promise<Checked<FrigateEvent>[]> {
    const { status, text } = await this.#request('/api/event_ids', { query: { ids: ids.join() }, signal });
    const rows = status === 200 ? parseJson(text) : undefined;
    if (Array.isArray(rows)) return rows.map(checkEvent);
    if (status >= 500) throw unexpected('/api/event_ids', status);
    // One deleted or forbidden object may fail the request for all.
    const single: Checked<FrigateEvent>[] = [];
    for (const id of ids) {
      const checked = await this.findEvent(id, signal);
      if (checked) single.push(checked);
    }
    return single;
  }

  /** Downloads a clip; any status is returned. @throws UpstreamError */
  downloadClip(path: string, file: string, signal: AbortSignal): Promise<SourceDownload> {
    return this.#authorised((headers) =>
      this.#deps.http.download(path, file, { headers, signal, maxBytes: maxClipBytes }),
    );
  }

  /** Downloads the best picture of a tracked object as JPEG; any status is returned. @throws UpstreamError */
  downloadSnapshot(id: string, file: string, signal: AbortSignal): Promise<SourceDownload> {
    const path = `/api/events/${encodeURIComponent(id)}/snapshot.jpg`;
    return this.#authorised((headers) =>
      this.#deps.http.download(path, file, { headers, signal, maxBytes: maxSnapshotBytes }),
    );
  }

  /** Names a tracked object. Returns false when Frigate no longer has it. @throws UpstreamError */
  async writeName({ id, camera }: Pick<FrigateEvent, 'id' | 'camera'>, name: string, signal: AbortSignal) {
    const body = { subLabel: name.slice(0, 100).toWellFormed(), subLabelScore: 1, camera };
    const path = `/api/events/${encodeURIComponent(id)}/sub_label`;
    const { status } = await this.#request(path, { method: 'POST', body, signal });
    if (status === 401 || status === 403)
      throw new UpstreamError('permission', say('may_not_rename', { program: 'Frigate' }));
    if (status !== 200 && status !== 404) throw unexpected(path, status);
    return status === 200;
  }

  async #getJson(path: string, query: SourceRequest['query'], signal: AbortSignal): Promise<unknown> {
    const { status, text } = await this.#request(path, { ...(query && { query }), signal });
    if (status === 403) throw forbidden(path);
    if (status !== 200) throw unexpected(path, status);
    return readJson(text, path);
  }

  async #findJson(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, text } = await this.#request(path, { signal });
    if (status === 404) return undefined;
    if (status === 403) throw forbidden(path);
    if (status !== 200) throw unexpected(path, status);
    return readJson(text, path);
  }

  #request(path: string, request: SourceRequest): Promise<SourceResponse> {
    return this.#authorised((headers) => this.#deps.http.request(path, { ...request, headers }));
  }

  /** Sends a request; retries it after a new login when the session has expired. */
  async #authorised<T extends { readonly status: number }>(
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    const hasUser = Boolean(this.#config.username);
    if (hasUser) this.#token ??= await this.#loginOnce();
    const token = this.#token;
    const response = await send(toHeaders(token));
    if (response.status !== 401) return response;
    if (!hasUser) throw new UpstreamError('login', say('frigate_asks_login'));
    // Another request may have logged in already.
    if (this.#token === token) this.#token = undefined;
    this.#token ??= await this.#loginOnce();
    const again = await send(toHeaders(this.#token));
    if (again.status === 401) throw new UpstreamError('login', say('login_not_kept', { program: 'Frigate' }));
    return again;
  }

  #loginOnce(): Promise<string> {
    const isBlocked = this.#refusal && this.#deps.clock.now() - this.#refusal.at < loginPauseMs;
    if (this.#refusal && isBlocked) return Promise.reject(this.#refusal.error);
    this.#loggingIn ??= this.#sendLogin(undefined).finally(() => {
      this.#loggingIn = undefined;
    });
    return this.#loggingIn;
  }

  async #sendLogin(signal: AbortSignal | undefined): Promise<string> {
    const { username = '', password = '' } = this.#config;
    const body: Json = { user: username, password };
    const { status, headers } = await this.#deps.http.request('/api/login', { method: 'POST', body, signal });
    const token = status === 200 ? readToken(headers['set-cookie']) : undefined;
    if (token !== undefined) {
      this.#refusal = undefined;
      return token;
    }
    const error = new UpstreamError('login', loginProblem(status));
    if (status < 500) this.#refusal = { error, at: this.#deps.clock.now() };
    throw error;
  }
}

/** Parses the version. @throws UpstreamError when the response is not that of a Frigate */
function toVersion({ status, text }: SourceResponse): FrigateVersion {
  if (status === 400 && /plain HTTP request/i.test(text))
    throw new UpstreamError('address', say('frigate_https'));
  if (status >= 500) throw new UpstreamError('address', say('frigate_down', { status }));
  const [whole, major, minor] = /^"?v?(\d+)\.(\d+)(?:\.\d+)?/.exec(text.trim()) ?? [];
  if (status !== 200 || whole === undefined) throw new UpstreamError('address', say('not_frigate'));
  return { text: whole.replace(/^"?v?/, ''), major: Number(major), minor: Number(minor) };
}

function loginProblem(status: number): Sentence {
  if (status === 401) return say('login_wrong', { program: 'Frigate' });
  if (status === 429) return say('login_too_often', { program: 'Frigate' });
  if (status === 200) return say('login_no_session', { program: 'Frigate' });
  if (status === 404) return say('login_elsewhere', { program: 'Frigate' });
  return say('login_status', { status, program: 'Frigate' });
}

/** The token is the value of a cookie, whose name is configurable. */
function readToken(cookies: string | readonly string[] | undefined): string | undefined {
  const values = [cookies ?? []].flat().map((cookie) => /^[^=;]+=([^;]*)/.exec(cookie)?.[1] ?? '');
  return values.find((value) => jwtPattern.test(value));
}

const toHeaders = (token: string | undefined): Readonly<Record<string, string>> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readJson(text: string, path: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new UpstreamError('version', say('frigate_not_json', { path }));
  return value;
}

function toList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UpstreamError('version', say('frigate_no_list', { path }));
  return value;
}

const forbidden = (path: string) =>
  new UpstreamError('permission', say('may_not_read_path', { program: 'Frigate', path }));

function unexpected(path: string, status: number): UpstreamError {
  const stage: TestStageName = status >= 500 ? 'address' : 'permission';
  return new UpstreamError(stage, say('status_at', { path, status, program: 'Frigate' }));
}
