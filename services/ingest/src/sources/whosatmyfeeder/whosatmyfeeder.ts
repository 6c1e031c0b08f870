import { type ConnectionTest, testConnection } from '../connection-test.js';
import { say } from '../sentences.js';
import {
  type DroppedEvent,
  type FetchOutcome,
  type KnownEvent,
  type Mapped,
  type ReadRequest,
  type SourceConfig,
  type SourceKind,
  type Upstream,
  type UpstreamDeps,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamPage,
} from '../source-kind.js';
import { checkDatabasePath, type ExpectedTable, SqliteFile, type SqliteRow } from '../sqlite/sqlite-file.js';
import { isFrigateId, readNumber, readObject, readText, splitMapped } from '../upstream-values.js';
import { mapRow, type WamfContext, type WamfRow } from './map-whosatmyfeeder.js';

/** WhosAtMyFeeder: its database by path, its clips from a Frigate, if configured. */
export const whosAtMyFeeder: SourceKind = {
  name: 'whosatmyfeeder',
  canWriteBack: false,
  hasOneBirdPerEvent: true,
  rereadDays: 0,
  check({ path }) {
    const problem = checkDatabasePath(path);
    return problem === undefined ? [] : [problem];
  },
  open: (config, deps) => new WhosAtMyFeeder(config, deps),
};

const table: ExpectedTable = {
  name: 'detections',
  columns: ['id', 'detection_time', 'score', 'display_name', 'category_name', 'frigate_event', 'camera_name'],
};
/** Texts are truncated, so that a row cannot fill the memory. */
const columns = `id, substr(CAST(detection_time AS TEXT), 1, 40),
  CASE typeof(score) WHEN 'text' THEN substr(score, 1, 40) WHEN 'blob' THEN NULL ELSE score END,
  substr(CAST(display_name AS TEXT), 1, 200), substr(CAST(category_name AS TEXT), 1, 200),
  substr(CAST(frigate_event AS TEXT), 1, 200), substr(CAST(camera_name AS TEXT), 1, 200)`;
const maxBatch = 1_000;
/** Maximum batches without a matching row in one read. */
const maxBatches = 25;
const maxClipBytes = 1024 * 1024 * 1024;
/** Frigate writes the recordings of an event some seconds later. */
const freshMs = 15 * 60_000;

/** Reads the database of a WhosAtMyFeeder, and clips from its Frigate. */
class WhosAtMyFeeder implements Upstream {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  readonly #file: SqliteFile;
  #cookie: string | undefined;

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#file = new SqliteFile(config.path ?? '', table);
  }

  test(signal: AbortSignal): ReturnType<Upstream['test']> {
    const test: ConnectionTest<SqliteRow> = {
      address: async () => {
        await this.#file.open(signal);
        return say('db_found', { path: this.#config.path ?? '' });
      },
      login: async () => say('login_not_needed_file'),
      version: async () => {
        await this.#file.requireTable(signal);
        return say('db_of', { program: 'WhosAtMyFeeder' });
      },
      list: () => this.#file.query(`SELECT ${columns} FROM detections ORDER BY id DESC LIMIT 50`, [], signal),
      map: (rows) => rows.map((row) => mapRow(toRow(row), this.#context())),
      noBirds: say('no_birds'),
      withoutClips: this.#config.url === undefined ? undefined : [say('without_clips')],
    };
    return testConnection(this, test, signal);
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage> {
    const size = Math.max(1, Math.min(request.limit, maxBatch));
    const events: UpstreamEvent[] = [];
    const dropped: DroppedEvent[] = [];
    let id = await this.#findPosition(request.cursor, signal);
    let isLast = false;
    for (let batch = 0; batch < maxBatches && !isLast && events.length + dropped.length === 0; batch += 1) {
      const rows = await this.#file.query(
        `SELECT ${columns} FROM detections WHERE id > ? ORDER BY id LIMIT ?`,
        [id, size],
        signal,
      );
      isLast = rows.length < size;
      const read = rows.map(toRow);
      id = read.at(-1)?.id ?? id;
      const page = splitMapped(
        read.map((row) => mapRow(row, this.#context())),
        request,
      );
      events.push(...page.events);
      dropped.push(...page.dropped);
    }
    return { events, dropped, cursor: { id }, isLast };
  }

  async readAgain(event: KnownEvent, signal: AbortSignal): Promise<Mapped | undefined> {
    const [row] = await this.#file.query(
      `SELECT ${columns} FROM detections WHERE frigate_event = ? LIMIT 1`,
      [event.upstreamId],
      signal,
    );
    return row && mapRow(toRow(row), { ...this.#context(), minConfidence: undefined });
  }

  async fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome> {
    const id = readText(readObject(event.reference)['id']) ?? '';
    if (this.#config.url === undefined || !isFrigateId(id))
      return { outcome: 'never', reason: say('clip_no_frigate') };
    const path = `api/events/${encodeURIComponent(id)}/clip.mp4`;
    const download = () => {
      const headers: Record<string, string> = this.#cookie ? { cookie: this.#cookie } : {};
      return this.#deps.http.download(path, file, { maxBytes: maxClipBytes, headers, signal });
    };
    let { status } = await download();
    if (status === 401 || status === 403) {
      await this.#login(signal);
      status = (await download()).status;
    }
    if (status === 200) return { outcome: 'ready' };
    if (status === 401 || status === 403)
      throw new UpstreamError('permission', say('may_not_fetch', { program: 'Frigate' }));
    const isFresh = this.#deps.clock.now() - event.end < freshMs;
    if (status === 404 || (status === 400 && !isFresh))
      return { outcome: 'never', reason: say('clip_gone', { program: 'Frigate' }) };
    return { outcome: 'later', reason: say('status', { status, program: 'Frigate' }) };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #context(): WamfContext {
    const { timezone, minConfidence } = this.#config.options;
    return { zone: timezone, minConfidence, hasFrigate: this.#config.url !== undefined };
  }

  /** Starts over when the database was replaced by one with fewer rows. */
  async #findPosition(cursor: ReadRequest['cursor'], signal: AbortSignal): Promise<number> {
    const id = readNumber(readObject(cursor)['id']) ?? 0;
    if (id === 0) return 0;
    const [row] = await this.#file.query('SELECT max(id) FROM detections', [], signal);
    return Number(row?.[0] ?? 0) < id ? 0 : id;
  }

  /** Logs in at Frigate's port 8971. @throws UpstreamError */
  async #login(signal: AbortSignal): Promise<void> {
    const { username, password = '' } = this.#config;
    if (!username) throw new UpstreamError('login', say('asks_login', { program: 'Frigate' }));
    const { status, headers } = await this.#deps.http.request('api/login', {
      method: 'POST',
      body: { user: username, password },
      signal,
    });
    const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');
    if (status !== 200 || cookies.length === 0)
      throw new UpstreamError('login', say('login_wrong', { program: 'Frigate' }));
    this.#cookie = cookies.join('; ');
  }
}

function toRow([id, time, score, name, category, frigateEvent, camera]: SqliteRow): WamfRow {
  return { id: Number(id), time, score, name, category, frigateEvent, camera };
}
