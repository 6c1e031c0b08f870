import { createHash, randomBytes } from 'node:crypto';
import { connectAsync, type MqttClient } from 'mqtt';
import {
  type FrigateBird,
  type FrigateEvent,
  type FrigateReview,
  isFrom,
  toHttpEvent,
  toHttpReview,
  toMqttEvent,
} from './frigate-records.js';
import { type CameraCodec, SampleMedia } from './sample-media.js';
import {
  type Handler,
  type Reply,
  type SeenRequest,
  type ServerStart,
  startUpstreamServer,
  type UpstreamServer,
} from './upstream-server.js';

/** A name that somebody wrote into an event over HTTP. */
export interface WrittenName {
  readonly id: string;
  readonly subLabel: string;
  readonly subLabelScore: number | null;
}

/** How a Frigate is started. */
export interface FrigateStart extends ServerStart {
  /** By default 0.17.2. */
  readonly version?: string;
  /** Logging in is asked for, as on port 8971; without, everybody is an administrator, as on port 5000. */
  readonly login?: { readonly user: string; readonly password: string; readonly role?: 'admin' | 'viewer' };
  /** The broker that it publishes to. */
  readonly mqtt?: { readonly url: string; readonly topicPrefix?: string };
  readonly cameras?: readonly string[];
  /** Labels of review segments; without `bird`, no segment covers birds. */
  readonly reviewLabels?: readonly string[];
  readonly codec?: CameraCodec;
  readonly now?: () => number;
  /** `endless`: each page has newer events. `same`: every page is the first one. */
  readonly paging?: 'endless' | 'same';
}

/** A bird in front of a camera, driven by the test. */
export interface FrigateBirdInView {
  readonly id: string;
  /** The id of its review segment. */
  readonly review: string | undefined;
  /** Something about it changed while it was there: published as an update. */
  update(
    changes: Partial<
      Pick<FrigateBird, 'topScore' | 'box' | 'zones' | 'path' | 'hasClip' | 'hasSnapshot' | 'data'>
    >,
  ): void;
  /** Names it; a score of null is a person's. After its end, nothing is published. */
  nameIt(name: string | null, score?: number | null): void;
  /** It has gone: at the time now or at that one. */
  end(at?: number): void;
  /** The segments of its recording are on the disk now, or have been deleted. */
  footage(state: 'ready' | 'later' | 'gone'): void;
  /** Deletes it upstream, as its retention does. */
  expire(): void;
}

/** A Frigate that sees what a test makes it see. */
export interface Frigate extends UpstreamServer {
  readonly topicPrefix: string;
  /** Names that were written back, the oldest first. */
  readonly writtenNames: readonly WrittenName[];
  bird(bird?: FrigateBird): FrigateBirdInView;
  /** Events that HTTP knows, as `GET /api/events` has them. */
  list(): Record<string, unknown>[];
  /** Review segments, as `GET /api/review` has them. */
  listReviews(): Record<string, unknown>[];
  /** Marks a review segment as looked at. */
  lookAt(reviewId: string): void;
  /** Every session has ended: whoever is logged in has to log in again. */
  endSessions(): void;
  /** Ends without a word and starts again: open events end 30 s after their start, open segments now. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Waits until the broker has every message so far. */
  published(): Promise<void>;
}

/** Starts a Frigate on a free port of the loopback. */
export async function startFrigate(start: FrigateStart = {}): Promise<Frigate> {
  const state = new FrigateState(start);
  const server = await startUpstreamServer(state.handle, start);
  await state.connect();
  return {
    ...server,
    topicPrefix: state.topicPrefix,
    writtenNames: state.writtenNames,
    bird: (bird = {}) => state.see(bird),
    list: () => state.visible().map((event) => state.row(event)),
    listReviews: () => state.reviews.map((review) => toHttpReview(review, state.events)),
    lookAt: (id) => state.lookAt(id),
    endSessions: () => state.sessions.clear(),
    async restart(meanwhile) {
      await Promise.all([server.goDown(), state.disconnect(true)]);
      state.endWhatIsOpen();
      await meanwhile?.();
      await server.comeBack();
      await state.connect();
    },
    published: () => state.published(),
    async stop() {
      await Promise.all([server.stop(), state.disconnect(false)]);
    },
  };
}

const json = (status: number, body: unknown): Reply => ({ status, body });
const refusal = (status: number, message: string) => json(status, { success: false, message });
/** A text that is sent as JSON, as some routes do. */
const jsonText = (status: number, text: string): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(text),
});

class FrigateState {
  readonly events: FrigateEvent[] = [];
  readonly reviews: FrigateReview[] = [];
  readonly writtenNames: WrittenName[] = [];
  readonly sessions = new Set<string>();
  readonly topicPrefix: string;
  readonly #start: FrigateStart;
  readonly #version: string;
  readonly #now: () => number;
  readonly #media = new SampleMedia();
  readonly #publishing = new Set<Promise<unknown>>();
  #client: MqttClient | undefined;

  constructor(start: FrigateStart) {
    this.#start = start;
    this.#version = start.version ?? '0.17.2';
    this.#now = start.now ?? Date.now;
    this.topicPrefix = start.mqtt?.topicPrefix ?? 'frigate';
  }

  // What happens in front of the cameras.

  see(bird: FrigateBird): FrigateBirdInView {
    const event = this.#create(bird);
    this.events.push(event);
    const review = this.#addToReview(event, bird.review);
    this.#publishEvent('new', event, event);
    if (event.endTime !== null) this.#publishEvent('end', event, event);
    return {
      id: event.id,
      review: review?.id,
      update: (changes) => this.#update(event, changes),
      nameIt: (name, score = 0.93) => this.#name(event, name, score),
      end: (at = this.#now()) => this.#end(event, at / 1000),
      footage: (state) => {
        event.footage = state;
      },
      expire: () => {
        this.events.splice(this.events.indexOf(event), 1);
      },
    };
  }

  #create(bird: FrigateBird): FrigateEvent {
    const startTime = (bird.start ?? this.#now()) / 1000;
    const suffix = createHash('sha256').update(`${this.events.length} ${startTime}`).digest('base64url');
    const end = bird.end ?? null;
    return {
      id:
        bird.id ??
        `${startTime}-${suffix
          .toLowerCase()
          .replaceAll(/[^a-z0-9]/g, '')
          .slice(0, 6)}`,
      camera: bird.camera ?? this.#cameras()[0] ?? 'birdcam',
      label: bird.label ?? 'bird',
      subLabel: bird.name ?? null,
      subLabelScore: bird.name == null ? null : bird.nameScore === undefined ? 0.93 : bird.nameScore,
      startTime,
      endTime: end === null ? null : end / 1000,
      topScore: bird.topScore ?? 0.81,
      box: bird.box ?? [0.4, 0.35, 0.1, 0.2],
      path: (bird.path ?? []).map(([x, y, at]) => [x, y, at / 1000]),
      zones: bird.zones ?? [],
      hasClip: bird.hasClip ?? true,
      hasSnapshot: bird.hasSnapshot ?? true,
      type: bird.type ?? 'object',
      footage: bird.footage ?? 'ready',
      isOnlyOnMqtt: bird.isOnlyOnMqtt ?? false,
      isRetained: false,
      severity: bird.severity ?? 'detection',
      data: bird.data ?? {},
    };
  }

  #addToReview(event: FrigateEvent, wanted: string | null | undefined): FrigateReview | undefined {
    const isCovered = (this.#start.reviewLabels ?? ['bird']).includes(event.label);
    if (wanted === null || (wanted === undefined && !isCovered) || event.isOnlyOnMqtt) return undefined;
    const known = this.reviews.find(
      ({ id, camera, startTime, endTime }) =>
        id === wanted ||
        (wanted === undefined &&
          camera === event.camera &&
          event.startTime >= startTime &&
          event.startTime <= (endTime ?? Number.POSITIVE_INFINITY)),
    );
    const review = known ?? {
      id: wanted ?? `${event.startTime}-r${event.id.slice(-5)}`,
      camera: event.camera,
      startTime: event.startTime,
      endTime: null,
      severity: event.severity,
      hasBeenReviewed: false,
      eventIds: [],
    };
    review.eventIds.push(event.id);
    review.startTime = Math.min(review.startTime, event.startTime);
    if (event.severity === 'alert') review.severity = 'alert';
    if (known === undefined) this.reviews.push(review);
    const before = known && toHttpReview(review, this.events);
    review.endTime = this.#endOf(review);
    this.#publishReview(known === undefined ? 'new' : 'update', before, review);
    if (review.endTime !== null) this.#publishReview('end', before, review);
    return review;
  }

  /** Null while one of its events is going on. */
  #endOf(review: FrigateReview): number | null {
    const ends = review.eventIds.flatMap((id) => {
      const event = this.events.find((one) => one.id === id);
      return event === undefined ? [] : [event.endTime];
    });
    return ends.some((end) => end === null) ? null : Math.max(review.endTime ?? 0, ...ends.map(Number));
  }

  #reviewOf = (event: FrigateEvent) => this.reviews.find(({ eventIds }) => eventIds.includes(event.id));

  #update(event: FrigateEvent, changes: Parameters<FrigateBirdInView['update']>[0]): void {
    const before = { ...event };
    const { path, ...rest } = changes;
    Object.assign(event, rest);
    if (path) event.path = path.map(([x, y, at]) => [x, y, at / 1000]);
    if (event.endTime === null) this.#publishEvent('update', before, event);
  }

  #name(event: FrigateEvent, name: string | null, score: number | null): void {
    const before = { ...event };
    event.subLabel = name;
    event.subLabelScore = name === null ? null : score;
    if (event.endTime === null) this.#publishEvent('update', before, event);
  }

  #end(event: FrigateEvent, at: number): void {
    if (event.endTime !== null) return;
    const before = { ...event };
    event.endTime = at;
    this.#publishEvent('end', before, event);
    const review = this.#reviewOf(event);
    if (review === undefined) return;
    const earlier = toHttpReview(review, this.events);
    review.endTime = this.#endOf(review);
    this.#publishReview(review.endTime === null ? 'update' : 'end', earlier, review);
  }

  endWhatIsOpen(): void {
    for (const event of this.events) event.endTime ??= event.startTime + 30;
    for (const review of this.reviews) review.endTime ??= this.#now() / 1000;
    this.sessions.clear();
  }

  lookAt(id: string): void {
    for (const review of this.reviews) if (review.id === id) review.hasBeenReviewed = true;
  }

  // MQTT. What happens while the broker is away is never published, as Frigate has no queue.

  async connect(): Promise<void> {
    const { mqtt } = this.#start;
    if (mqtt === undefined) return;
    const will = { topic: `${this.topicPrefix}/available`, payload: Buffer.from('offline'), retain: true };
    this.#client = await connectAsync(mqtt.url, {
      clientId: `frigate-${randomBytes(4).toString('hex')}`,
      reconnectPeriod: 100,
      will,
    });
    this.#client.on('error', () => undefined);
    const sayOnline = () => this.#publish('available', 'online', true);
    this.#client.on('connect', sayOnline);
    sayOnline();
  }

  async disconnect(isSudden: boolean): Promise<void> {
    if (!isSudden) {
      this.#publish('available', 'stopped', true);
      await this.published();
    }
    const client = this.#client;
    this.#client = undefined;
    // Without a word, so that the broker publishes the will.
    if (isSudden) client?.stream.destroy();
    await client?.endAsync(true);
  }

  async published(): Promise<void> {
    await Promise.all(this.#publishing);
  }

  #publish(topic: string, payload: string, retain = false): void {
    if (!this.#client?.connected) return;
    const sent = this.#client
      .publishAsync(`${this.topicPrefix}/${topic}`, payload, { qos: 1, retain })
      .catch(() => undefined);
    this.#publishing.add(sent);
    void sent.then(() => this.#publishing.delete(sent));
  }

  #publishEvent(type: 'new' | 'update' | 'end', before: FrigateEvent, after: FrigateEvent): void {
    const message = { before: toMqttEvent(before, this.#version), after: toMqttEvent(after, this.#version) };
    this.#publish('events', JSON.stringify({ type, ...message }));
  }

  #publishReview(type: 'new' | 'update' | 'end', before: object | undefined, review: FrigateReview): void {
    const after = withoutSeen(toHttpReview(review, this.events));
    this.#publish('reviews', JSON.stringify({ type, before: before ? withoutSeen(before) : after, after }));
  }

  // HTTP.

  visible = () => this.events.filter((event) => !event.isOnlyOnMqtt && (event.hasClip || event.hasSnapshot));

  row = (event: FrigateEvent) => toHttpEvent(event, this.#version);

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

  #logIn({ body }: SeenRequest): Reply {
    const { login } = this.#start;
    const { user, password } = parseObject(body);
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
    return { status: 200, headers: { 'set-cookie': cookie }, body: {} };
  }

  /** Undefined when nobody is logged in. */
  #roleOf({ headers }: SeenRequest): 'admin' | 'viewer' | undefined {
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
        topic_prefix: this.topicPrefix,
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
    const found = this.visible().filter((event) => matches(event, query));
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

  /** A page of events that are all newer than the last page. */
  #invent(query: URLSearchParams, limit: number): Record<string, unknown>[] {
    const after = Number(query.get('after') ?? 0);
    return Array.from({ length: Math.min(limit, 1_000) }, (_, index) => {
      const start = (after + 0.001 * (index + 1)) * 1000;
      return this.row(this.#create({ start, end: start + 1_000 }));
    });
  }

  #listByIds(query: URLSearchParams): Reply {
    const ids = query.get('ids');
    if (!ids)
      return json(422, { detail: [{ type: 'missing', loc: ['query', 'ids'], msg: 'Field required' }] });
    const wanted = ids.split(',');
    return json(
      200,
      this.visible()
        .filter(({ id }) => wanted.includes(id))
        .map(this.row),
    );
  }

  async #readEvent(id: string, below: string, query: URLSearchParams): Promise<Reply> {
    const event = this.visible().find((one) => one.id === id);
    if (below === '') return event ? json(200, this.row(event)) : jsonText(404, 'Event not found');
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

  /** Cut of what was recorded between two instants, in seconds. */
  async #clip(camera: string, from: number, until: number, of?: FrigateEvent): Promise<Reply> {
    const overlap = (event: FrigateEvent) =>
      event.camera === camera &&
      event.startTime <= until &&
      (event.endTime ?? Number.POSITIVE_INFINITY) >= from;
    const recorded = of ? [of] : this.events.filter(overlap);
    const isThere = recorded.length > 0 && recorded.every(({ footage }) => footage === 'ready');
    if (!isThere) return refusal(400, 'No recordings found for the specified time range');
    const seconds = Math.max(1, Math.min(60, Math.ceil(until - from)));
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
    const isWithSeen = Number(query.get('reviewed') ?? 0) !== 0;
    const found = this.reviews.filter((review) => {
      const {
        objects,
        audio,
        zones: own,
      } = toHttpReview(review, this.events)['data'] as Record<string, string[]>;
      return (
        review.startTime > after &&
        (review.endTime === null || review.endTime < before) &&
        (cameras === undefined || cameras.includes(review.camera)) &&
        (labels === undefined ||
          labels.some((label) => objects?.includes(label) || audio?.includes(label))) &&
        (zones === undefined || zones.some((zone) => own?.includes(zone))) &&
        (severity === null || severity === review.severity) &&
        (isWithSeen || !review.hasBeenReviewed)
      );
    });
    const limit = query.has('limit') ? Number(query.get('limit')) : undefined;
    const newestFirst = found.sort((a, b) => b.startTime - a.startTime).slice(0, limit);
    return json(
      200,
      newestFirst.map((review) => toHttpReview(review, this.events)),
    );
  }

  async #readReview(id: string, below: string, query: URLSearchParams): Promise<Reply> {
    const isWithClip = isFrom(this.#version, '0.18');
    if (below !== '' && !(below === 'clip.mp4' && isWithClip)) return json(404, { detail: 'Not Found' });
    const review = this.reviews.find((one) => one.id === id);
    if (!review) return jsonText(404, 'Review item not found');
    if (below === '') return json(200, toHttpReview(review, this.events));
    const padding = Number(query.get('padding') ?? 0);
    const until = (review.endTime ?? this.#now() / 1000) + padding;
    return this.#clip(review.camera, review.startTime - padding, until);
  }

  #write({ body, method }: SeenRequest, role: string, first: string, id: string, below: string): Reply {
    if (first !== 'events') return json(404, { detail: 'Not Found' });
    if (role !== 'admin') return json(403, { detail: 'Access denied. Required roles: admin' });
    const event = this.visible().find((one) => one.id === id);
    if (below === 'retain') {
      if (!event) return refusal(404, `Event ${id} not found`);
      event.isRetained = method === 'POST';
      return json(200, {
        success: true,
        message: `Event ${id} ${event.isRetained ? 'retained' : 'un-retained'}`,
      });
    }
    if (below !== 'sub_label' || method !== 'POST') return json(404, { detail: 'Not Found' });
    const { subLabel, subLabelScore = null, camera } = parseObject(body);
    const isScore =
      subLabelScore === null ||
      (typeof subLabelScore === 'number' && subLabelScore > 0 && subLabelScore <= 1);
    if (typeof subLabel !== 'string' || subLabel.length > 100 || !isScore) {
      return json(422, {
        detail: [{ type: 'value_error', loc: ['body', 'subLabel'], msg: 'Input is not valid' }],
      });
    }
    if (!event && !camera) return refusal(404, `Event ${id} not found.`);
    if (event) this.#name(event, subLabel || null, subLabelScore as number | null);
    this.writtenNames.push({ id, subLabel, subLabelScore: subLabelScore as number | null });
    return json(200, { success: true, message: `Event ${id} sub label set to ${subLabel || 'None'}` });
  }
}

function withoutSeen(review: object): object {
  const { has_been_reviewed: _seen, ...rest } = review as Record<string, unknown>;
  return rest;
}

/** Undefined stands for all. */
function listOf(query: URLSearchParams, plural: string): string[] | undefined {
  const value = query.get(plural) ?? query.get(plural.slice(0, -1)) ?? 'all';
  return value === 'all' ? undefined : value.split(',');
}

function matches(event: FrigateEvent, query: URLSearchParams): boolean {
  const is = (name: string, value: boolean) => !query.has(name) || (query.get(name) === '1') === value;
  const least = (name: string, value: number) => !query.has(name) || value >= Number(query.get(name));
  const most = (name: string, value: number) => !query.has(name) || value <= Number(query.get(name));
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
    least('min_score', event.topScore) &&
    most('max_score', event.topScore) &&
    least('min_length', length) &&
    most('max_length', length)
  );
}

function findWrongNumber(query: URLSearchParams, names: readonly string[]): Reply | undefined {
  const name = names.find((one) => query.has(one) && !/^-?\d+(\.\d+)?$/.test(query.get(one) ?? ''));
  if (name === undefined) return undefined;
  const detail = [{ type: 'float_parsing', loc: ['query', name], msg: 'Input should be a valid number' }];
  return json(422, { detail });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
