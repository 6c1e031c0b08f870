import type { Clock } from '@birdhub/shared/time';
import { say } from '../sentences.js';
import {
  type SourceConfig,
  type SourceHttp,
  type SourceRequest,
  type SourceResponse,
  UpstreamError,
} from '../source-kind.js';
import { readObject, readText } from '../upstream-values.js';

const api = 'api/v2';
/** BirdNET-Go allows five logins in 15 minutes. */
const loginPauseMs = 15 * 60_000;
/** The default of `security.basicauth.clientid`, which the login page of BirdNET-Go sends with a password. */
const defaultUsername = 'birdnet-client';

/** Sends requests to the API of BirdNET-Go; logs in if a password is configured. */
export class BirdNetGoApi {
  readonly #config: SourceConfig;
  readonly #http: SourceHttp;
  readonly #clock: Clock;
  #cookie: string | undefined;
  #loginFailure: { readonly error: UpstreamError; readonly until: number } | undefined;

  constructor(config: SourceConfig, http: SourceHttp, clock: Clock) {
    this.#config = config;
    this.#http = http;
    this.#clock = clock;
  }

  /** Returns the JSON of a path; undefined when there is none (404). @throws UpstreamError */
  async get(path: string, query: NonNullable<SourceRequest['query']>, signal: AbortSignal): Promise<unknown> {
    const response = await this.withLogin((headers) =>
      this.#http.request(`${api}/${path}`, {
        query,
        headers: { ...headers, accept: 'application/json' },
        signal,
      }),
    );
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw unexpected(response.status);
    return parse(response.text);
  }

  /** Yields the server-sent events of new detections. @throws UpstreamError */
  async *events(signal: AbortSignal): AsyncGenerator<{ readonly event: string }> {
    await this.login(signal);
    yield* this.#http.events(`${api}/detections/stream`, { headers: this.#headers(), signal });
  }

  /** Downloads the audio of a detection. @throws UpstreamError */
  async download(id: number, file: string, maxBytes: number, signal: AbortSignal) {
    return this.withLogin((headers) =>
      this.#http.download(`${api}/audio/${id}`, file, { maxBytes, headers, signal }),
    );
  }

  /** Logs in, unless already logged in or without a password. @throws UpstreamError */
  async login(signal?: AbortSignal): Promise<void> {
    const { username, password } = this.#config;
    if (!password || this.#cookie !== undefined) return;
    const failed = this.#loginFailure;
    if (failed && failed.until > this.#clock.now()) throw failed.error;
    try {
      this.#cookie = await this.#openSession(username || defaultUsername, password, signal);
    } catch (error) {
      if (error instanceof UpstreamError && error.stage === 'login')
        this.#loginFailure = { error, until: this.#clock.now() + loginPauseMs };
      throw error;
    }
  }

  /** Runs a request; logs in again and retries when the session has expired. @throws UpstreamError */
  async withLogin<T extends { readonly status: number }>(
    request: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    await this.login();
    const first = await request(this.#headers());
    if (first.status !== 401 && first.status !== 403) return first;
    if (!this.#config.password)
      throw new UpstreamError('login', say('asks_login', { program: 'BirdNET-Go' }));
    this.#cookie = undefined;
    await this.login();
    const second = await request(this.#headers());
    if (second.status === 401 || second.status === 403)
      throw new UpstreamError('permission', say('may_not_read', { program: 'BirdNET-Go' }));
    return second;
  }

  #headers(): Record<string, string> {
    return this.#cookie ? { cookie: this.#cookie } : {};
  }

  /** Returns the cookies of a session; empty when BirdNET-Go does not require a login. */
  async #openSession(username: string, password: string, signal: AbortSignal | undefined): Promise<string> {
    const response = await this.#http.request(`${api}/auth/login`, {
      method: 'POST',
      body: { username, password },
      signal,
    });
    requireLogin(response);
    const target = readText(readObject(parse(response.text))['redirectUrl']);
    if (target === undefined) return '';
    // Only the code of the redirect target is used.
    const code = new URL(target, 'http://birdnet-go').searchParams.get('code') ?? '';
    const session = await this.#http.request(`${api}/auth/callback`, {
      query: { code, redirect: '/' },
      redirect: 'manual',
      signal,
    });
    const cookies = [session.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');
    if (session.status >= 400 || cookies.length === 0)
      throw new UpstreamError('login', say('login_no_session', { program: 'BirdNET-Go' }));
    return cookies.join('; ');
  }
}

function requireLogin({ status }: SourceResponse): void {
  if (status === 200) return;
  if (status === 400 || status === 401 || status === 403)
    throw new UpstreamError('login', say('login_wrong', { program: 'BirdNET-Go' }));
  if (status === 429) throw new UpstreamError('login', say('login_too_often', { program: 'BirdNET-Go' }));
  if (status === 404) throw notBirdNetGo();
  throw unexpected(status);
}

const notBirdNetGo = () => new UpstreamError('version', say('not_birdnet_go'));

function unexpected(status: number): UpstreamError {
  if (status === 404) return notBirdNetGo();
  if (status === 429) return new UpstreamError('birds', say('too_many_requests', { program: 'BirdNET-Go' }));
  return new UpstreamError('birds', say('status', { status, program: 'BirdNET-Go' }));
}

/** @throws UpstreamError */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notBirdNetGo();
  }
}
