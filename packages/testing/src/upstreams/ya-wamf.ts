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
import { SampleMedia } from './sample-media.js';

/** Options of {@link startYaWamf}. */
export interface YaWamfStart extends StubServerStart {
  readonly login?: { readonly username: string; readonly password: string };
  /** Maximum page size; greater ones are refused. */
  readonly maxLimit?: number;
}

/** A detection that a test adds. */
export interface NewYaWamfDetection {
  /** The id of the Frigate event. */
  readonly frigateEvent?: string;
  readonly at?: number;
  readonly scientificName?: string | null;
  readonly commonName?: string | null;
  readonly displayName?: string;
  readonly score?: number;
  readonly camera?: string;
  readonly isManual?: boolean;
  readonly isFavorite?: boolean;
  readonly isHidden?: boolean;
  readonly hasClip?: boolean;
}

/** A stub of a YA-WAMF, whose detections are added by the test. */
export interface YaWamf extends StubServer {
  see(bird?: NewYaWamfDetection): {
    readonly frigateEvent: string;
    rename(name: string, scientificName: string): void;
  };
  /** Returns the rows, oldest first. */
  list(): Record<string, unknown>[];
}

type Row = Record<string, unknown> & { frigate_event: string; detection_time: string };

/** Starts a YA-WAMF on a free loopback port. */
export async function startYaWamf(start: YaWamfStart = {}): Promise<YaWamf> {
  const rows: Row[] = [];
  const api = new YaWamfApi(rows, start);
  const server = await startStubServer(api.handle, start);
  return {
    ...server,
    list: () => [...rows],
    see(bird = {}) {
      const row = toRow(bird, rows.length + 1);
      rows.push(row);
      return {
        frigateEvent: row.frigate_event,
        rename: (name, scientificName) => {
          Object.assign(row, {
            display_name: name,
            common_name: name,
            scientific_name: scientificName,
            manual_tagged: true,
          });
        },
      };
    },
  };
}

function toRow(bird: NewYaWamfDetection, id: number): Row {
  const at = bird.at ?? Date.now();
  const commonName = bird.commonName === undefined ? 'Great Tit' : bird.commonName;
  const displayName = bird.displayName ?? commonName ?? 'Unknown Bird';
  return {
    id,
    // UTC without an offset.
    detection_time: new Date(at).toISOString().replace('Z', ''),
    detection_index: 0,
    score: bird.score ?? 0.88,
    display_name: displayName,
    category_name: displayName,
    frigate_event: bird.frigateEvent ?? `${at / 1000}-${id.toString(36).padStart(6, 'a')}`,
    camera_name: bird.camera ?? 'birdcam',
    has_clip: bird.hasClip ?? true,
    has_snapshot: true,
    has_frigate_event: true,
    is_hidden: bird.isHidden ?? false,
    is_favorite: bird.isFavorite ?? false,
    frigate_score: 0.8,
    sub_label: null,
    manual_tagged: bird.isManual ?? false,
    audio_confirmed: false,
    audio_species: null,
    audio_score: null,
    temperature: null,
    scientific_name: bird.scientificName === undefined ? 'Parus major' : bird.scientificName,
    common_name: commonName,
    taxa_id: 203_153,
    video_classification_label: null,
    video_classification_score: null,
  };
}

const json = (status: number, body: unknown): Reply => ({ status, body });

class YaWamfApi {
  readonly #rows: readonly Row[];
  readonly #start: YaWamfStart;
  readonly #tokens = new Set<string>();
  readonly #media = new SampleMedia();

  constructor(rows: readonly Row[], start: YaWamfStart) {
    this.#rows = rows;
    this.#start = start;
  }

  readonly handle: Handler = async (request) => {
    const { path, method } = request;
    if (path === '/health') return json(200, { status: 'ok', service: 'ya-wamf-backend', version: '2.15.0' });
    if (path === '/api/auth/login' && method === 'POST') return this.#logIn(request);
    if (path === '/api/auth/status') return json(200, { auth_required: this.#start.login !== undefined });
    if (!this.#isOwner(request)) return json(401, { detail: 'Authentication required' });
    if (path === '/api/events') return this.#list(request.query);
    if (path === '/api/events/count')
      return json(200, { count: this.#find(request.query).length, filtered: false });
    const media = /^\/api\/frigate\/([^/]+)\/(clip\.mp4|snapshot\.jpg)$/.exec(path);
    const row = media && this.#rows.find(({ frigate_event }) => frigate_event === media[1]);
    if (!media || !row) return json(404, { detail: 'Not Found' });
    if (media[2] === 'snapshot.jpg') {
      return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: await this.#media.picture() };
    }
    if (row['has_clip'] !== true) return json(404, { detail: 'Clip not available' });
    return { status: 200, headers: { 'content-type': 'video/mp4' }, body: await this.#media.clip(5) };
  };

  #logIn(request: ReceivedRequest): Reply {
    const { login } = this.#start;
    if (!login) return json(400, { detail: 'Authentication is not enabled' });
    const { username, password } = readObject(request);
    if (username !== login.username || password !== login.password)
      return json(401, { detail: 'Invalid credentials' });
    const token = randomBytes(24).toString('base64url');
    this.#tokens.add(token);
    return json(200, { access_token: token, token_type: 'bearer', username, expires_in_hours: 168 });
  }

  #isOwner({ headers, query }: ReceivedRequest): boolean {
    if (!this.#start.login) return true;
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return this.#tokens.has(bearer ?? query.get('token') ?? '');
  }

  #list(query: URLSearchParams): Reply {
    const limit = Number(query.get('limit') ?? 50);
    const offset = Number(query.get('offset') ?? 0);
    const maxLimit = this.#start.maxLimit ?? 500;
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit || !(offset >= 0)) {
      const detail = [
        { type: 'less_than_equal', loc: ['query', 'limit'], msg: `Input should be at most ${maxLimit}` },
      ];
      return json(422, { detail });
    }
    const sort = query.get('sort') ?? 'newest';
    if (!['newest', 'oldest', 'confidence'].includes(sort))
      return json(422, { detail: [{ loc: ['query', 'sort'] }] });
    const days =
      (Date.parse(query.get('end_date') ?? '') - Date.parse(query.get('start_date') ?? '')) / 86_400_000;
    if (days > 365) return json(400, { detail: 'Date range must not exceed 365 days' });
    const found = this.#find(query).toSorted((a, b) => a.detection_time.localeCompare(b.detection_time));
    return json(200, (sort === 'oldest' ? found : found.toReversed()).slice(offset, offset + limit));
  }

  #find(query: URLSearchParams): Row[] {
    const [from, until] = [query.get('start_date'), query.get('end_date')];
    return this.#rows.filter((row) => {
      const date = row.detection_time.slice(0, 10);
      return (
        (!from || date >= from) &&
        (!until || date <= until) &&
        (query.get('include_hidden') === 'true' || row['is_hidden'] !== true) &&
        (query.get('favorites') !== 'true' || row['is_favorite'] === true) &&
        (!query.has('camera') || query.get('camera') === row['camera_name']) &&
        (!query.has('event_id') || query.get('event_id') === row.frigate_event)
      );
    });
  }
}
