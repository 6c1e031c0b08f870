import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PictureRequests } from '@birdhub/domain/media';
import { FileRemover, type PostResult, RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory, SpeciesEditor } from '@birdhub/domain/species';
import type { HubApp } from '@birdhub/shared/app';
import type { Bus } from '@birdhub/shared/bus';
import { type Change, ChangeNotifier } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import {
  aRecording,
  countStatements,
  createTestDatabase,
  storeSettings,
  type TestDatabase,
} from '@birdhub/testing';
import { type ManualClock, manualClock } from '@birdhub/testing/clocks';
import { type Logger, pino } from 'pino';
import { vi } from 'vitest';
import { createQueryApp } from '../app.js';
import { createExternalApis, type ExternalApis, type ExternalUrls } from '../external/external-apis.js';
import { LiveEvents } from '../live/live-events.js';
import type { ResponseCache } from '../response-cache/response-cache.js';
import { openListeningCaches } from '../response-cache/response-cache.js';
import { RecordingMedia } from '../videos/recording-media.js';

/** The response of a route. */
export interface TestResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any body and fail when it has another shape
  readonly body: any;
  readonly headers: Record<string, unknown>;
}

/** A query service on its own database and recordings folder, with the real change notifier. */
export interface TestQuery {
  readonly app: HubApp;
  readonly database: TestDatabase;
  readonly writer: RecordingWriter;
  readonly notifier: ChangeNotifier;
  readonly clock: ManualClock;
  readonly settings: SettingsReader;
  readonly externalApis: ExternalApis;
  readonly cache: ResponseCache;
  readonly recordingsDir: string;
  /** Stores a recording; all later responses include it. */
  post(recording?: Parameters<typeof aRecording>[0]): Promise<PostResult>;
  /** Notifies of a change; all later responses include it. */
  notify(change: Change): Promise<void>;
  setSettings(value: object): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  /** Sends a change; all later responses include it. */
  change(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<TestResponse>;
  /** Counts the SQL statements that a response takes. */
  countStatements(path: string): Promise<number>;
  /** Writes a file into the recordings folder; returns its absolute path. */
  writeFile(path: string, content: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Options of a test service. */
export interface TestQueryOptions {
  readonly responseCacheMb?: number;
  readonly responseBudgetMb?: number;
  /** Addresses of the external services; by default a port without a listener. */
  readonly externalUrls?: Partial<ExternalUrls>;
  readonly log?: Logger;
  /** Creates requested pictures; default: none. */
  readonly pictures?: PictureRequests;
}

const nowhere = 'http://127.0.0.1:9';
const unreachableUrls: ExternalUrls = {
  openMeteoUrl: nowhere,
  openweatherApiUrl: nowhere,
  ebirdApiUrl: nowhere,
  xenoCantoApiUrl: nowhere,
  wikipediaApiUrl: nowhere,
};

/** A stream without events. */
const silentBus: Pick<Bus, 'subscribe' | 'extent' | 'status'> = {
  subscribe: () => ({ ready: Promise.resolve(), close: async () => {} }),
  extent: async () => ({ first: 1, last: 0 }),
  status: () => 'ok',
};

/** Builds the application as `start.ts` does, without ports. */
export async function createTestQuery(options: TestQueryOptions = {}): Promise<TestQuery> {
  const {
    responseCacheMb = 8,
    responseBudgetMb = 96,
    externalUrls,
    log = pino({ level: 'silent' }),
  } = options;
  const { pictures = { request: async () => 'unavailable' } } = options;
  const database = await createTestDatabase();
  const { pool, prisma, transaction, url } = database;
  const recordingsDir = await mkdtemp(join(tmpdir(), 'birdhub-recordings-'));
  const clock = manualClock(Date.now());
  const hostZone = 'UTC';
  const notifier = new ChangeNotifier(pool, log);
  const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
  const listening = openListeningCaches({
    database,
    url,
    hostZone,
    responseCacheMb,
    responseBudgetMb,
    directory,
    log,
  });
  const { cache, settings, listener } = listening;
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock });
  const urls = { ...unreachableUrls, ...externalUrls };
  const externalApis = createExternalApis({ urls, pool, prisma, clock, log });
  const app = createQueryApp({
    log,
    metrics: createMetrics('query'),
    internalSecret: undefined,
    cache,
    readPool: database.readPool,
    pool,
    prisma,
    transaction,
    notifier,
    writer,
    files: new FileRemover({ pool, recordingsDir, dataDir: recordingsDir, log }),
    settings,
    recordingsDir,
    media: new RecordingMedia({
      readPool: database.readPool,
      recordingsDir,
      dataDir: recordingsDir,
      pictures,
      log,
    }),
    live: new LiveEvents({ bus: silentBus, clock, log }),
    directory,
    speciesEditor: new SpeciesEditor({ pool, directory, notifier }),
    externalApis,
    clock,
  });
  /** The consistency token of the last change of this test, as the gateway would send it. */
  let token = '';
  await vi.waitUntil(() => listener.isListening());

  const get = async (path: string, headers: Record<string, string> = {}): Promise<TestResponse> => {
    const sent = { ...(token && { 'x-hub-consistency-token': token }), ...headers };
    const response = await app.inject({ method: 'GET', url: path, headers: sent });
    return { status: response.statusCode, body: parse(response.body), headers: response.headers };
  };
  const change: TestQuery['change'] = async (method, url, payload) => {
    const headers = { 'x-hub-caller': 'contributor' };
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
    const sentToken = response.headers['x-hub-consistency-token'];
    if (sentToken) token = String(sentToken);
    await notifier.settled();
    return { status: response.statusCode, body: parse(response.body), headers: response.headers };
  };
  const notify = async (change: Change) => {
    notifier.notify(change);
    token = notifier.last().token;
    await notifier.settled();
  };

  return {
    app,
    database,
    writer,
    notifier,
    clock,
    settings,
    externalApis,
    cache,
    recordingsDir,
    notify,
    get,
    change,
    async post(recording) {
      const result = await writer.post(aRecording(recording), 'test');
      token = notifier.last().token;
      await notifier.settled();
      return result;
    },
    async setSettings(value) {
      await storeSettings(pool, value);
      await notify({ kind: 'settings' });
      // Routes read settings before the cache, which waits for the change notice.
      await get('/api/ui/cameras');
    },
    async countStatements(path) {
      await get('/api/ui/cameras');
      return countStatements(pool, async () => {
        const { status, body } = await get(path);
        if (status !== 200) throw new Error(JSON.stringify(body));
      });
    },
    async writeFile(path, content) {
      const file = join(recordingsDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    async close() {
      await app.close();
      await notifier.settled();
      await listener.close();
      await database.drop();
      await rm(recordingsDir, { recursive: true });
    },
  };
}
