import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type Handler,
  type ReceivedRequest,
  type Reply,
  readObject,
  type StubServer,
  type StubServerStart,
  startStubServer,
} from '../stub-server.js';
import {
  type BirdNetGoDetection,
  type NewBirdNetGoDetection,
  type Station,
  toNote,
  toRestDetection,
  toStreamed,
  type Verified,
} from './birdnet-go-records.js';
import { SampleMedia } from './sample-media.js';
import { readWallClock } from './station-time.js';
import { UpstreamPublisher } from './upstream-publisher.js';

/** Options of {@link startBirdNetGo}. */
export interface BirdNetGoStart extends StubServerStart {
  readonly version?: string;
  /** The zone of the station. Default UTC. */
  readonly timezone?: string;
  /**
   * Enables a login, by default of the user `birdnet-client`; clients that are not logged in do not get the sources of
   * detections.
   */
  readonly login?: { readonly username?: string; readonly password: string };
  /** Requires the login for all reads. */
  readonly isPrivate?: boolean;
  readonly mqtt?: { readonly url: string; readonly topic?: string };
  /** The format of clips: `wav`, `mp3`, `flac`, `m4a` or `opus`. */
  readonly extension?: string;
  readonly now?: () => number;
  /** How long the response to a query is cached. Default five minutes. */
  readonly cacheMs?: number;
  readonly heartbeatMs?: number;
  /** Maximum connections to the stream per minute. Default 10. */
  readonly maxStreams?: number;
  /** `endless`: each page has further detections. `same`: every page is the first one. */
  readonly paging?: 'endless' | 'same';
  /** Ignores the requested days and order, as old versions do. */
  readonly isOld?: boolean;
}

/** A detection that the test can change. */
export interface BirdNetGoBird {
  readonly id: number;
  /** Sets the verdict of a user. */
  verify(verified: Verified): void;
  clip(state: 'ready' | 'later' | 'none' | 'gone'): void;
  /** Deletes it upstream. */
  expire(): void;
}

/** A stub of a BirdNET-Go, whose detections are added by the test. */
export interface BirdNetGo extends StubServer {
  readonly topic: string;
  hear(bird?: NewBirdNetGoDetection): BirdNetGoBird;
  /** Returns the detections as `GET /api/v2/detections` does for logged-in clients, oldest first. */
  list(): Record<string, unknown>[];
  /** Returns the number of open connections to the stream. */
  streams(): number;
  /** Closes all connections to the stream, as the server does after half an hour. */
  closeStreams(): void;
  endSessions(): void;
  /** Crashes and starts again. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Waits until the broker has received all messages so far. */
  published(): Promise<void>;
}

/** Starts a BirdNET-Go on a free loopback port. */
export async function startBirdNetGo(start: BirdNetGoStart = {}): Promise<BirdNetGo> {
  const state = new BirdNetGoState(start);
  const server = await startStubServer(state.handle, start);
  await state.publisher.connect();
  return {
    ...server,
    topic: state.topic,
    hear: (bird = {}) => state.hear(bird),
    list: () => state.rows(),
    streams: () => state.streams.size,
    closeStreams: () => state.closeStreams(),
    endSessions: () => state.sessions.clear(),
    async goDown() {
      state.closeStreams();
      await server.goDown();
    },
    async restart(meanwhile) {
      state.closeStreams();
      await Promise.all([server.goDown(), state.publisher.crash()]);
      state.sessions.clear();
      await meanwhile?.();
      await server.comeBack();
      await state.publisher.connect();
    },
    published: () => state.publisher.published(),
    async stop() {
      state.closeStreams();
      await Promise.all([server.stop(), state.publisher.stop()]);
    },
  };
}

const api = '/api/v2';
const maxResults = 1_000;
const maxOffset = 1_000_000;
const sorts = [
  'date_desc',
  'date_asc',
  'species_asc',
  'species_desc',
  'confidence_asc',
  'confidence_desc',
  'status',
];
/** Paths that need no login even in private mode. */
const openPaths = [`${api}/app/config`, `${api}/auth/login`, `${api}/auth/callback`];
const types: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  opus: 'audio/ogg',
};

const json = (status: number, body: unknown): Reply => ({ status, body });
const refuse = (code: number, message: string): Reply =>
  json(code, { error: message, message, code, correlation_id: randomBytes(4).toString('hex') });

class BirdNetGoState {
  readonly streams = new Set<ServerResponse>();
  readonly sessions = new Set<string>();
  readonly topic: string;
  readonly publisher: UpstreamPublisher;
  readonly #start: BirdNetGoStart;
  readonly #station: Station;
  readonly #now: () => number;
  readonly #detections: BirdNetGoDetection[] = [];
  readonly #media = new SampleMedia();
  readonly #codes = new Set<string>();
  readonly #cache = new Map<string, { readonly until: number; readonly reply: Reply }>();
  #opened: number[] = [];

  constructor(start: BirdNetGoStart) {
    this.#start = start;
    this.#now = start.now ?? Date.now;
    this.#station = { timezone: start.timezone ?? 'UTC', extension: start.extension ?? 'wav' };
    this.topic = start.mqtt?.topic ?? 'birdnet';
    const status = { topic: `${this.topic}/status`, online: 'online', offline: 'offline' };
    this.publisher = new UpstreamPublisher(start.mqtt?.url, status);
  }

  hear(bird: NewBirdNetGoDetection): BirdNetGoBird {
    const detection = this.#create(bird, bird.id ?? (this.#detections.at(-1)?.id ?? 0) + 1);
    this.#detections.push(detection);
    this.#stream('detection', toStreamed(detection, this.#station));
    if (!bird.isSilent) this.publisher.publish(this.topic, JSON.stringify(toNote(detection, this.#station)));
    return {
      id: detection.id,
      verify: (verified) => {
        detection.verified = verified;
        // A review clears the cache.
        this.#cache.clear();
      },
      clip: (state) => {
        detection.clip = state;
      },
      expire: () => {
        this.#detections.splice(this.#detections.indexOf(detection), 1);
        this.#cache.clear();
      },
    };
  }

  #create(bird: NewBirdNetGoDetection, id: number): BirdNetGoDetection {
    const seconds = bird.seconds ?? 15;
    return {
      id,
      scientificName: bird.scientificName ?? 'Parus major',
      commonName: bird.commonName ?? 'Great Tit',
      confidence: bird.confidence ?? 0.91,
      begin: bird.begin ?? this.#now(),
      seconds,
      clipSeconds: bird.clipSeconds ?? seconds,
      source:
        bird.source === undefined
          ? { id: 'rtsp_65c31a0b', type: 'rtsp', displayName: 'Garden' }
          : bird.source,
      clip: bird.clip ?? 'ready',
      modelType: bird.modelType ?? 'bird',
      verified: bird.verified ?? 'unverified',
      locked: bird.locked ?? false,
      unlikely: bird.unlikely ?? false,
    };
  }

  rows = () => this.#detections.map((detection) => toRestDetection(detection, this.#station, true));

  #openStream(response: ServerResponse): Reply | undefined {
    const now = Date.now();
    this.#opened = this.#opened.filter((at) => at > now - 60_000);
    if (this.#opened.length >= (this.#start.maxStreams ?? 10)) return refuse(429, 'Rate limit exceeded');
    this.#opened.push(now);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.streams.add(response);
    const send = () =>
      this.#send(response, 'heartbeat', { timestamp: Math.floor(Date.now() / 1000), clients: 1 });
    const heart = setInterval(send, this.#start.heartbeatMs ?? 15_000);
    response.once('close', () => {
      clearInterval(heart);
      this.streams.delete(response);
    });
    this.#send(response, 'connected', { clientId: randomUUID(), message: 'Connected to detection stream' });
    return undefined;
  }

  #send(response: ServerResponse, event: string, data: unknown): void {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #stream(event: string, data: unknown): void {
    for (const response of this.streams) this.#send(response, event, data);
  }

  closeStreams(): void {
    for (const response of this.streams) response.end();
    this.streams.clear();
  }

  readonly handle: Handler = async (request, response) => {
    const { path, method } = request;
    if (!path.startsWith(`${api}/`))
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };
    const isTrusted = this.#isTrusted(request);
    if (this.#start.isPrivate && !isTrusted && !openPaths.includes(path))
      return refuse(401, 'Authentication required');
    if (path === `${api}/auth/login` && method === 'POST') return this.#logIn(request);
    if (path === `${api}/auth/callback`) return this.#finishLogin(request);
    if (method !== 'GET') return refuse(405, 'Method Not Allowed');
    const [, , , first = '', second = ''] = path.split('/');
    if (first === 'health')
      return json(200, { status: 'healthy', version: this.#version(), database_status: 'connected' });
    if (first === 'app' && second === 'config') return this.#readConfig(isTrusted);
    if (first === 'audio') return this.#readMedia(second, 'audio');
    if (first === 'spectrogram') return this.#readMedia(second, 'spectrogram');
    if (first !== 'detections') return refuse(404, 'Not Found');
    if (second === 'stream') return this.#openStream(response);
    if (second === 'recent') return this.#listRecent(request.query, isTrusted);
    if (second === '') return this.#list(request.query, isTrusted);
    const detection = this.#detections.find(({ id }) => String(id) === second);
    if (!detection) return refuse(/^\d+$/.test(second) ? 404 : 400, 'Detection not found');
    return json(200, toRestDetection(detection, this.#station, isTrusted));
  };

  #version = () => this.#start.version ?? 'nightly-20260801';

  #isTrusted({ headers }: ReceivedRequest): boolean {
    if (this.#start.login === undefined) return true;
    const session = /(?:^|;\s*)birdnet-go-session=([^;]+)/.exec(headers.cookie ?? '')?.[1];
    return this.sessions.has(session ?? '');
  }

  #logIn(request: ReceivedRequest): Reply {
    const { login } = this.#start;
    if (login === undefined)
      return json(200, { success: true, message: 'Authentication is not required on this server' });
    const { username, password } = readObject(request);
    if (!username || !password)
      return json(400, { success: false, message: 'Username and password are required' });
    if (username !== (login.username ?? 'birdnet-client') || password !== login.password) {
      return json(401, { success: false, message: 'Invalid credentials' });
    }
    const code = randomBytes(16).toString('hex');
    this.#codes.add(code);
    const base = this.#start.basePath ?? '';
    const redirectUrl = `${base}${api}/auth/callback?code=${code}&redirect=${encodeURIComponent(`${base}/ui/`)}`;
    return json(200, {
      success: true,
      message: 'Login successful - complete OAuth flow',
      username,
      redirectUrl,
    });
  }

  #finishLogin({ query }: ReceivedRequest): Reply {
    if (!this.#codes.delete(query.get('code') ?? ''))
      return refuse(401, 'Unable to complete login at this time');
    const session = randomBytes(24).toString('base64url');
    this.sessions.add(session);
    const headers = {
      location: query.get('redirect') ?? '/',
      'set-cookie': `birdnet-go-session=${session}; Path=/; HttpOnly; SameSite=Lax`,
    };
    return { status: 302, headers, body: '' };
  }

  #readConfig(isTrusted: boolean): Reply {
    const { login, isPrivate = false, basePath = '' } = this.#start;
    return json(200, {
      csrfToken: randomBytes(16).toString('hex'),
      security: {
        enabled: login !== undefined,
        accessAllowed: isTrusted,
        authConfig: { basicEnabled: login !== undefined, enabledProviders: [] },
        publicAccess: { liveAudio: false },
        privateMode: isPrivate,
      },
      version: this.#version(),
      basePath,
      audioExportEnabled: true,
    });
  }

  async #readMedia(id: string, kind: 'audio' | 'spectrogram'): Promise<Reply> {
    const detection = this.#detections.find((one) => String(one.id) === id);
    if (!detection || detection.clip === 'gone' || detection.clip === 'none')
      return refuse(404, 'Clip not found');
    if (detection.clip === 'later') {
      return {
        ...refuse(503, 'Audio file is not ready yet'),
        headers: { 'retry-after': '2', 'content-type': 'application/json' },
      };
    }
    if (kind === 'spectrogram') {
      return {
        status: 200,
        headers: { 'content-type': 'image/png' },
        body: await this.#media.picture('png'),
      };
    }
    const { extension } = this.#station;
    const body = await this.#media.sound(detection.clipSeconds, extension);
    return {
      status: 200,
      headers: { 'content-type': types[extension] ?? 'audio/wav', 'accept-ranges': 'bytes' },
      body,
    };
  }

  #listRecent(query: URLSearchParams, isTrusted: boolean): Reply {
    const limit = Math.max(1, Math.min(maxResults, Number(query.get('limit') ?? 10) || 10));
    const newest = this.#detections.toSorted((a, b) => b.begin - a.begin || b.id - a.id).slice(0, limit);
    return json(
      200,
      newest.map((one) => toRestDetection(one, this.#station, isTrusted)),
    );
  }

  #list(query: URLSearchParams, isTrusted: boolean): Reply {
    const wrong = findMistake(query);
    if (wrong !== undefined) return refuse(400, wrong);
    const key = `${isTrusted} ${query}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.until > this.#now()) return cached.reply;
    const limit = Number(query.get('numResults') ?? query.get('limit') ?? 100);
    const offset = this.#start.paging === 'same' ? 0 : Number(query.get('offset') ?? 0);
    const found = this.#start.paging === 'endless' ? this.#invent(query, offset + limit) : this.#find(query);
    const page = found.slice(offset, offset + limit);
    const total = this.#start.paging === undefined ? found.length : 10_000_000;
    const reply = json(200, {
      data: page.map((one) => toRestDetection(one, this.#station, isTrusted)),
      total,
      limit,
      offset,
      current_page: Math.floor(offset / limit) + 1,
      total_pages: Math.ceil(total / limit),
    });
    this.#cache.set(key, { until: this.#now() + (this.#start.cacheMs ?? 300_000), reply });
    return reply;
  }

  #find(query: URLSearchParams): BirdNetGoDetection[] {
    if (this.#start.isOld) return this.#detections.toSorted((a, b) => b.begin - a.begin || b.id - a.id);
    const [from, until] = [query.get('start_date'), query.get('end_date')];
    const verified = query.get('verified');
    const found = this.#detections.filter((detection) => {
      const { date } = readWallClock(detection.begin, this.#station.timezone);
      // A single bound is ignored.
      const isInside = !from || !until || (date >= from && date <= until);
      const isVerified = detection.verified !== 'unverified';
      return isInside && (!verified || (verified === 'true' || verified === 'human') === isVerified);
    });
    const by: Readonly<Record<string, (a: BirdNetGoDetection, b: BirdNetGoDetection) => number>> = {
      date: (a, b) => a.begin - b.begin || a.id - b.id,
      species: (a, b) => a.commonName.localeCompare(b.commonName) || a.id - b.id,
      confidence: (a, b) => a.confidence - b.confidence || a.id - b.id,
      status: (a, b) => a.verified.localeCompare(b.verified) || a.id - b.id,
    };
    const [name = 'date', direction = 'desc'] = (query.get('sortBy') || 'date_desc').split('_');
    const sorted = found.sort(by[name]);
    return direction === 'desc' ? sorted.reverse() : sorted;
  }

  /** Returns as many invented detections as requested. */
  #invent(query: URLSearchParams, count: number): BirdNetGoDetection[] {
    const day = Date.parse(query.get('start_date') ?? '2026-05-01');
    return Array.from({ length: count }, (_, index) => this.#create({ begin: day + index }, index + 1));
  }
}

function findMistake(query: URLSearchParams): string | undefined {
  for (const name of ['date', 'start_date', 'end_date']) {
    const value = query.get(name);
    if (value && (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)))) {
      return `invalid ${name} format, use YYYY-MM-DD`;
    }
  }
  const [from, until] = [query.get('start_date'), query.get('end_date')];
  if (from && until && from > until) return 'start_date cannot be after end_date';
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const results = number('numResults') ?? number('limit') ?? 100;
  if (!Number.isInteger(results) || results < 1 || results > maxResults)
    return 'numResults exceeds maximum allowed value (1000)';
  const offset = number('offset') ?? 0;
  if (!Number.isInteger(offset) || offset < 0 || offset > maxOffset)
    return 'offset exceeds maximum allowed value (1000000)';
  if ((number('duration') ?? 1) > 24) return 'duration must be between 1 and 24 hours';
  const sort = query.get('sortBy');
  if (sort && !sorts.includes(sort)) return `invalid sortBy parameter '${sort}'`;
  if (query.get('queryType') === 'hourly' && !query.get('hour'))
    return 'hour parameter is required for hourly query type';
  return undefined;
}
