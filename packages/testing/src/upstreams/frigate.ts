import { randomBytes } from 'node:crypto';
import {
  type Handler,
  type ReceivedRequest,
  type Reply,
  readObject,
  type StubServer,
  type StubServerStart,
  startStubServer,
} from '../stub-server.js';
import { type FrigateBirdInView, FrigateCameras } from './frigate-cameras.js';
import {
  type FrigateBird,
  type FrigateEvent,
  type FrigateReview,
  isFrom,
  toHttpEvent,
  toHttpReview,
} from './frigate-records.js';
import { type CameraCodec, SampleMedia } from './sample-media.js';
import { UpstreamPublisher } from './upstream-publisher.js';

/** A name that was written to an event over HTTP. */
export interface WrittenName {
  readonly id: string;
  readonly subLabel: string;
  readonly subLabelScore: number | null;
}

/** Options of {@link startFrigate}. */
export interface FrigateStart extends StubServerStart {
  /** Default 0.17.2. */
  readonly version?: string;
  /** Requires a login, as on port 8971; without it, every client is an administrator, as on port 5000. */
  readonly login?: { readonly user: string; readonly password: string; readonly role?: 'admin' | 'viewer' };
  /** The broker that it publishes to. */
  readonly mqtt?: { readonly url: string; readonly topicPrefix?: string };
  readonly cameras?: readonly string[];
  /** Labels of review segments; without `bird`, birds have no segments. */
  readonly reviewLabels?: readonly string[];
  readonly codec?: CameraCodec;
  readonly now?: () => number;
  /** `endless`: each page has newer events. `same`: every page is the first one. */
  readonly paging?: 'endless' | 'same';
}

/** A stub of a Frigate, whose birds are added by the test. */
export interface Frigate extends StubServer {
  readonly topicPrefix: string;
  /** Names that were written back, oldest first. */
  readonly writtenNames: readonly WrittenName[];
  bird(bird?: FrigateBird): FrigateBirdInView;
  /** Returns the events as `GET /api/events` does. */
  list(): Record<string, unknown>[];
  /** Returns the review segments as `GET /api/review` does. */
  listReviews(): Record<string, unknown>[];
  /** Marks a review segment as reviewed. */
  markReviewed(reviewId: string): void;
  /** Deletes a review segment, as retention does. */
  expireReview(reviewId: string): void;
  /** Ends all sessions, so that clients have to log in again. */
  endSessions(): void;
  /** Crashes and starts again: open events end 30 s after their start, open segments now. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Waits until the broker has received all messages so far. */
  published(): Promise<void>;
}

/** Starts a Frigate on a free loopback port. */
export async function startFrigate(start: FrigateStart = {}): Promise<Frigate> {
  const version = start.version ?? '0.17.2';
  const topicPrefix = start.mqtt?.topicPrefix ?? 'frigate';
  const status = {
    topic: `${topicPrefix}/available`,
    online: 'online',
    offline: 'offline',
    stopped: 'stopped',
  };
  const publisher = new UpstreamPublisher(start.mqtt?.url, status);
  const cameras = new FrigateCameras({
    version,
    camera: start.cameras?.[0] ?? 'birdcam',
    reviewLabels: start.reviewLabels ?? ['bird'],
    now: start.now ?? Date.now,
    publish: (topic, payload) => publisher.publish(`${topicPrefix}/${topic}`, payload),
  });
  const api = new FrigateApi(cameras, { ...start, version });
  const server = await startStubServer(api.handle, start);
  await publisher.connect();
  return {
    ...server,
    topicPrefix,
    writtenNames: api.writtenNames,
    bird: (bird = {}) => cameras.addBird(bird),
    list: () => cameras.visible().map((event) => toHttpEvent(event, version)),
    listReviews: () => cameras.reviews.map((review) => toHttpReview(review, cameras.events)),
    markReviewed: (id) => cameras.markReviewed(id),
    expireReview: (id) => cameras.expireReview(id),
    endSessions: () => api.sessions.clear(),
    async restart(meanwhile) {
      await Promise.all([server.goDown(), publisher.crash()]);
      cameras.endAllOpen();
      api.sessions.clear();
      await meanwhile?.();
      await server.comeBack();
      await publisher.connect();
    },
    published: () => publisher.published(),
    async stop() {
      await Promise.all([server.stop(), publisher.stop()]);
    },
  };
}

/** Clips of longer spans are cut to this length. */
const maxClipSeconds = 3_600;
const json = (status: number, body: unknown): Reply => ({ status, body });
const refusal = (status: number, message: string) => json(status, { success: false, message });
/** Returns a reply whose body is a JSON string, as some routes send it. */
const jsonText = (status: number, text: string): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(text),
});

class FrigateApi {
  readonly writtenNames: WrittenName[] = [];
  readonly sessions = new Set<string>();
  readonly #world: FrigateCameras;
  readonly #start: FrigateStart;
  readonly #version: string;
  readonly #now: () => number;
  readonly #media = new SampleMedia();

  constructor(world: FrigateCameras, start: FrigateStart & { readonly version: string }) {
    this.#world = world;
    this.#start = start;
    this.#version = start.version;
    this.#now = start.now ?? Date.now;
  }

  #row = (event: FrigateEvent) => toHttpEvent(event, this.#version);

  readonly handle: Handler = async (request) => {
    const { method, path } = request;
    if (path === '/api/login' && method === 'POST') return this.#logIn(request);
    const role = this.#roleOf(request);
    if (role === undefined) return { status: 401, body: '' };
    const [, first = '', id = '', ...rest] = path.replace(/^\/api/, '').split('/');
    const below = rest.join('/');
    if (!path.startsWith('/api/')) return json(404, { detail: 'Not Found' });
    if (method === 'POST' || method === 'DELETE') return this.#write(request, role, first, id, below);
    if (first === 'version') return { status: 200, body: `${this.#version}-4d58206` };
    if (first === 'config') return json(200, this.#config());
    if (first === 'profile') return json(200, { username: this.#start.login?.user ?? 'anonymous', role });
    if (first === 'event_ids') return this.#listByIds(request.query);
    if (first === 'events' && id === '') return this.#listEvents(request.query);
    if (first === 'events') return this.#readEvent(id, below, request.query);
    if (first === 'review' && id === '') return this.#listReviews(request.query);
    if (first === 'review') return this.#readReview(id, below, request.query);
    const span = /^start\/([\d.]+)\/end\/([\d.]+)\/clip\.mp4$/.exec([id, ...rest].join('/'));
    if (span) return this.#clip(first, Number(span[1]), Number(span[2]));
    return json(404, { detail: 'Not Found' });
  };

  #logIn(request: ReceivedRequest): Reply {
    const { login } = this.#start;
    const { user, password } = readObject(request);
    if (login === undefined || user !== login.user || password !== login.password) {
      return json(401, { message: 'Login failed' });
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(this.#now() / 1000) + 86_400;
    const claims = { sub: login.user, role: login.role ?? 'admin', exp };
    const signature = randomBytes(32).toString('base64url');
    const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${signature}`;
    this.sessions.add(token);
    const cookie = `frigate_token=${token}; HttpOnly; Path=/; expires=${new Date(exp * 1000).toUTCString()}`;
    return { status: 200, headers: { 'set-cookie': cookie }, body: '' };
  }

  /** Returns undefined for a client that is not logged in. */
  #roleOf({ headers }: ReceivedRequest): 'admin' | 'viewer' | undefined {
    const { login } = this.#start;
    if (login === undefined) return 'admin';
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const cookie = /(?:^|;\s*)frigate_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
    return this.sessions.has(bearer ?? cookie ?? '') ? (login.role ?? 'admin') : undefined;
  }

  #cameras = () => this.#start.cameras ?? ['birdcam'];

  #config() {
    const labels = this.#start.reviewLabels ?? ['bird'];
    const review = { alerts: { enabled: true, labels: ['person'] }, detections: { enabled: true, labels } };
    const camera = (name: string) => ({
      name,
      enabled: true,
      detect: { enabled: true, width: 1280, height: 720, fps: 5 },
      objects: { track: ['person', 'bird', 'cat', 'squirrel'], filters: {} },
      record: { enabled: true },
      snapshots: { enabled: true },
      review,
    });
    return {
      version: `${this.#version.split('.').slice(0, 2).join('.')}-0`,
      mqtt: {
        enabled: this.#start.mqtt !== undefined,
        host: '127.0.0.1',
        topic_prefix: this.#start.mqtt?.topicPrefix ?? 'frigate',
        client_id: 'frigate',
      },
      classification: { bird: { enabled: true, threshold: 0.9 } },
      cameras: Object.fromEntries(this.#cameras().map((name) => [name, camera(name)])),
    };
  }

  async #listEvents(query: URLSearchParams): Promise<Reply> {
    const wrong = findWrongNumber(query, [
      'after',
      'before',
      'limit',
      'in_progress',
      'has_clip',
      'has_snapshot',
      'include_thumbnails',
      'min_score',
      'max_score',
      'min_length',
      'max_length',
      'favorites',
    ]);
    if (wrong) return wrong;
    const { paging } = this.#start;
    const limit = Number(query.get('limit') ?? 100);
    if (paging === 'endless') return json(200, this.#invent(query, limit));
    if (paging === 'same') query.delete('after');
    const found = this.#world.visible().filter((event) => matches(event, query));
    const sort = query.get('sort') ?? 'date_desc';
    const by = sort.startsWith('score')
      ? (event: FrigateEvent) => event.topScore
      : (event: FrigateEvent) => event.startTime;
    const direction = sort.endsWith('_asc') ? 1 : -1;
    const page = found.sort((a, b) => direction * (by(a) - by(b))).slice(0, limit < 0 ? undefined : limit);
    const isWithPicture = query.get('include_thumbnails') !== '0';
    const thumbnail = isWithPicture ? (await this.#media.picture('jpg', 90)).toString('base64') : undefined;
    return json(
      200,
      page.map((event) => toHttpEvent(event, this.#version, thumbnail)),
    );
  }

  /** Returns a page of events that are all newer than those of the last page. */
  #invent(query: URLSearchParams, limit: number): Record<string, unknown>[] {
    const after = Number(query.get('after') ?? 0);
    return Array.from({ length: Math.min(limit, 1_000) }, (_, index) => {
      const start = (after + 0.001 * (index + 1)) * 1000;
      return this.#row(this.#world.create({ start, end: start + 1_000 }));
    });
  }

  #listByIds(query: URLSearchParams): Reply {
    const ids = query.get('ids');
    if (!ids)
      return json(422, { detail: [{ type: 'missing', loc: ['query', 'ids'], msg: 'Field required' }] });
    const wanted = ids.split(',');
    return json(
      200,
      this.#world
        .visible()
        .filter(({ id }) => wanted.includes(id))
        .map(this.#row),
    );
  }

  async #readEvent(id: string, below: string, query: URLSearchParams): Promise<Reply> {
    const event = this.#world.visible().find((one) => one.id === id);
    if (below === '') return event ? json(200, this.#row(event)) : jsonText(404, 'Event not found');
    if (below === 'clip.mp4') {
      if (!event) return refusal(404, 'Event not found');
      if (!event.hasClip) return refusal(404, 'Clip not available');
      const padding = Number(query.get('padding') ?? 0);
      return this.#clip(
        event.camera,
        event.startTime - padding,
        (event.endTime ?? this.#now() / 1000) + padding,
        event,
      );
    }
    return this.#picture(event, below, query);
  }

  async #picture(event: FrigateEvent | undefined, name: string, query: URLSearchParams): Promise<Reply> {
    const isNew = isFrom(this.#version, '0.17');
    const clean = isNew ? 'snapshot-clean.webp' : 'snapshot-clean.png';
    if (!['snapshot.jpg', clean, 'thumbnail.jpg', 'thumbnail.webp'].includes(name)) {
      return json(404, { detail: 'Not Found' });
    }
    if (!event) return refusal(404, 'Event not found');
    if (!event.hasSnapshot) return refusal(404, 'Snapshot not available');
    const extension = name.slice(name.lastIndexOf('.') + 1);
    const height = name.startsWith('thumbnail') ? 90 : Number(query.get('h') ?? 180);
    const isLive = event.endTime === null && name === 'snapshot.jpg';
    return {
      status: 200,
      headers: {
        'content-type': `image/${extension === 'jpg' ? 'jpeg' : extension}`,
        'cache-control': isLive ? 'no-store' : 'private, max-age=31536000',
        ...(isLive ? { 'x-frame-time': String(event.startTime + 1.5) } : {}),
      },
      body: await this.#media.picture(extension, height),
    };
  }

  /** Returns the clip of the footage between two instants, in seconds. */
  async #clip(camera: string, from: number, until: number, of?: FrigateEvent): Promise<Reply> {
    const overlap = (event: FrigateEvent) =>
      event.camera === camera &&
      event.startTime <= until &&
      (event.endTime ?? Number.POSITIVE_INFINITY) >= from;
    const recorded = of ? [of] : this.#world.events.filter(overlap);
    const isAvailable = recorded.length > 0 && recorded.every(({ footage }) => footage === 'ready');
    if (!isAvailable) return refusal(400, 'No recordings found for the specified time range');
    const seconds = Math.max(1, Math.min(maxClipSeconds, Math.ceil(until - from)));
    const body = await this.#media.clip(seconds, this.#start.codec);
    return { status: 200, headers: { 'content-type': 'video/mp4' }, body, isChunked: true };
  }

  #listReviews(query: URLSearchParams): Reply {
    const wrong = findWrongNumber(query, ['after', 'before', 'limit', 'reviewed']);
    if (wrong) return wrong;
    const now = this.#now() / 1000;
    const after = Number(query.get('after')) || now - 86_400;
    const before = Number(query.get('before')) || now;
    const cameras = listOf(query, 'cameras');
    const labels = listOf(query, 'labels');
    const zones = listOf(query, 'zones');
    const severity = query.get('severity');
    // 2 means all in every version.
    const reviewed = Number(query.get('reviewed') ?? 0);
    const isSince17 = isFrom(this.#version, '0.17');
    const isInside = ({ startTime, endTime }: FrigateReview) =>
      isSince17
        ? startTime < before && (endTime === null || endTime > after)
        : startTime > after && (endTime === null || endTime < before);
    const found = this.#world.reviews.filter((review) => {
      const {
        objects,
        audio,
        zones: own,
      } = toHttpReview(review, this.#world.events)['data'] as Record<string, string[]>;
      return (
        isInside(review) &&
        (cameras === undefined || cameras.includes(review.camera)) &&
        (labels === undefined ||
          labels.some((label) => objects?.includes(label) || audio?.includes(label))) &&
        (zones === undefined || zones.some((zone) => own?.includes(zone))) &&
        (severity === null || severity === review.severity) &&
        (reviewed !== 0 || !review.hasBeenReviewed) &&
        (!isSince17 || reviewed !== 1 || review.hasBeenReviewed)
      );
    });
    const limit = query.has('limit') ? Number(query.get('limit')) : undefined;
    const newestFirst = found.sort((a, b) => b.startTime - a.startTime).slice(0, limit);
    return json(
      200,
      newestFirst.map((review) => toHttpReview(review, this.#world.events)),
    );
  }

  async #readReview(id: string, below: string, query: URLSearchParams): Promise<Reply> {
    const isWithClip = isFrom(this.#version, '0.18');
    if (below !== '' && !(below === 'clip.mp4' && isWithClip)) return json(404, { detail: 'Not Found' });
    const review = this.#world.reviews.find((one) => one.id === id);
    if (!review) return jsonText(404, 'Review item not found');
    if (below === '') return json(200, toHttpReview(review, this.#world.events));
    const padding = Number(query.get('padding') ?? 0);
    const until = (review.endTime ?? this.#now() / 1000) + padding;
    return this.#clip(review.camera, review.startTime - padding, until);
  }

  #write(request: ReceivedRequest, role: string, first: string, id: string, below: string): Reply {
    if (first !== 'events') return json(404, { detail: 'Not Found' });
    if (role !== 'admin') return json(403, { detail: 'Access denied. Required roles: admin' });
    const event = this.#world.visible().find((one) => one.id === id);
    if (below === 'retain') {
      if (!event) return refusal(404, `Event ${id} not found`);
      event.isRetained = request.method === 'POST';
      return json(200, {
        success: true,
        message: `Event ${id} ${event.isRetained ? 'retained' : 'un-retained'}`,
      });
    }
    if (below !== 'sub_label' || request.method !== 'POST') return json(404, { detail: 'Not Found' });
    const { subLabel, subLabelScore = null, camera } = readObject(request);
    const isScore =
      subLabelScore === null ||
      (typeof subLabelScore === 'number' && subLabelScore > 0 && subLabelScore <= 1);
    if (typeof subLabel !== 'string' || subLabel.length > 100 || !isScore) {
      return json(422, {
        detail: [{ type: 'value_error', loc: ['body', 'subLabel'], msg: 'Input is not valid' }],
      });
    }
    if (!event && !camera) return refusal(404, `Event ${id} not found.`);
    if (event) this.#world.name(event, subLabel || null, subLabelScore as number | null);
    this.writtenNames.push({ id, subLabel, subLabelScore: subLabelScore as number | null });
    return json(200, { success: true, message: `Event ${id} sub label set to ${subLabel || 'None'}` });
  }
}

/** Returns undefined when the filter is `all` or absent. */
function listOf(query: URLSearchParams, plural: string): string[] | undefined {
  const value = query.get(plural) ?? query.get(plural.slice(0, -1)) ?? 'all';
  return value === 'all' ? undefined : value.split(',');
}

function matches(event: FrigateEvent, query: URLSearchParams): boolean {
  const is = (name: string, value: boolean) => !query.has(name) || (query.get(name) === '1') === value;
  const atLeast = (name: string, value: number) => !query.has(name) || value >= Number(query.get(name));
  const atMost = (name: string, value: number) => !query.has(name) || value <= Number(query.get(name));
  const among = (name: string, value: string) => listOf(query, name)?.includes(value) ?? true;
  const names = event.subLabel === null ? ['None'] : event.subLabel.split(', ');
  const zones = event.zones.length === 0 ? ['None'] : event.zones;
  const length = event.endTime === null ? Number.NaN : event.endTime - event.startTime;
  const after = Number(query.get('after'));
  const before = Number(query.get('before'));
  return (
    (!after || event.startTime > after) &&
    (!before || event.startTime < before) &&
    among('cameras', event.camera) &&
    among('labels', event.label) &&
    (listOf(query, 'sub_labels')?.some((name) => names.includes(name) || name === event.subLabel) ?? true) &&
    (listOf(query, 'zones')?.some((zone) => zones.includes(zone)) ?? true) &&
    (!query.has('event_id') || query.get('event_id') === event.id) &&
    is('has_clip', event.hasClip) &&
    is('has_snapshot', event.hasSnapshot) &&
    is('in_progress', event.endTime === null) &&
    (query.get('favorites') !== '1' || event.isRetained) &&
    atLeast('min_score', event.topScore) &&
    atMost('max_score', event.topScore) &&
    atLeast('min_length', length) &&
    atMost('max_length', length)
  );
}

function findWrongNumber(query: URLSearchParams, names: readonly string[]): Reply | undefined {
  const name = names.find((one) => query.has(one) && !/^-?\d+(\.\d+)?$/.test(query.get(one) ?? ''));
  if (name === undefined) return undefined;
  const detail = [{ type: 'float_parsing', loc: ['query', name], msg: 'Input should be a valid number' }];
  return json(422, { detail });
}
