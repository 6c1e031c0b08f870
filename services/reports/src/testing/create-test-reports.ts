import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFrameReader, type PictureRequests } from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { HubApp } from '@birdhub/shared/app';
import type { Change } from '@birdhub/shared/db';
import { createMetrics } from '@birdhub/shared/metrics';
import { createTestDatabase, createTestWriter, storeSettings, type TestDatabase } from '@birdhub/testing';
import { fixedClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { createReportsApp } from '../app.js';
import { DayCards } from '../day-card/day-cards.js';
import { type Crops, StoredCrops } from '../detection-crop/crops.js';
import { ExportSlots } from '../export-slots.js';
import { renderReport } from '../monthly-report/drawing/render-report.js';
import { ReportMaker } from '../monthly-report/report-maker.js';
import { cacheFrames } from './cache-frames.js';

/** The reports application on its own database. */
export interface TestReports {
  readonly app: HubApp;
  readonly database: TestDatabase;
  readonly writer: RecordingWriter;
  readonly settings: SettingsReader;
  /** Contains the folder `recordings`. */
  readonly dataDir: string;
  readonly exportSlots: ExportSlots;
  /** The changes of which processes were notified. */
  readonly changes: readonly Change[];
  setSettings(value: object): Promise<void>;
  close(): Promise<void>;
}

const frameReader = cacheFrames(createFrameReader({ ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' }));

/** Options of a test application. */
interface TestReportsOptions {
  /** The database of another test service, which outlives this one. */
  readonly database?: TestDatabase;
  readonly crops?: Crops;
  /** Creates requested pictures; default: none. */
  readonly pictures?: PictureRequests;
  readonly stallTimeoutMs?: number;
  readonly waitTimeoutMs?: number;
}

/** Builds the application like `start.ts`, without ports and rendering threads, optionally with fake crops. */
export async function createTestReports(options: TestReportsOptions = {}): Promise<TestReports> {
  const { pictures = { request: async () => 'unavailable' } } = options;
  const { crops, stallTimeoutMs = 30_000, waitTimeoutMs = 15_000 } = options;
  const database = options.database ?? (await createTestDatabase());
  const { pool } = database;
  const { writer, settings } = createTestWriter(pool);
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-reports-'));
  const changes: Change[] = [];
  const log = pino({ level: 'silent' });
  const clock = fixedClock(Date.UTC(2026, 5, 1, 12));
  const exportSlots = new ExportSlots({ maxExports: 3, stallTimeoutMs, waitTimeoutMs, log });
  const app = createReportsApp({
    log,
    metrics: createMetrics('reports'),
    internalSecret: undefined,
    readPool: pool,
    pool,
    settings,
    recordingsDir: join(dataDir, 'recordings'),
    crops:
      crops ??
      new StoredCrops({
        pool,
        notifier: { notify: (change) => void changes.push(change) },
        dataDir,
        recordingsDir: join(dataDir, 'recordings'),
        frameReader,
        ffmpegPath: 'ffmpeg',
        log,
      }),
    pictures,
    reports: new ReportMaker({
      pool,
      clock,
      dataDir,
      log,
      render: ({ report, pictures }) => renderReport(report, pictures),
    }),
    dayCards: new DayCards({ pool, dataDir, log }),
    exportSlots,
    clock,
  });
  return {
    app,
    exportSlots,
    database,
    writer,
    settings,
    dataDir,
    changes,
    async setSettings(value) {
      await storeSettings(pool, value);
      settings.forget();
    },
    async close() {
      await app.close();
      if (options.database === undefined) await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
