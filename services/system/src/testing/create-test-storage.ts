import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createJobMetrics, startJobs } from '@birdhub/domain/jobs';
import { FileRemover, type PostedDetection } from '@birdhub/domain/recordings';
import { recordUpload } from '@birdhub/domain/storage';
import { createApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { aRecording, createTestDatabase, createTestWriter, storeSettings } from '@birdhub/testing';
import { manualClock } from '@birdhub/testing/clocks';
import { pino } from 'pino';
import { createMediaTools } from '../media/media-tools.js';
import { createVideoInspector } from '../media/video-inspector.js';
import { recordingsScanRoutes } from '../recordings-scan/recordings-scan.routes.js';
import { createScanJob } from '../recordings-scan/scan-job.js';
import { retentionRoutes } from '../retention/retention.routes.js';
import { storageRoutes } from '../storage/storage.routes.js';

const day = 86_400_000;
/** Current time of storage tests: noon UTC. */
export const testNow = Date.UTC(2026, 4, 20, 12);

/** A recording that a test adds. */
export interface GivenRecording {
  /** Days before {@link testNow}. */
  readonly daysAgo?: number;
  readonly videoPath?: string;
  readonly cameraId?: string;
  readonly sizeBytes?: number;
  readonly favorite?: boolean;
  /** Whether the size of the file is stored. */
  readonly hasStoredSize?: boolean;
  readonly detections?: readonly PostedDetection[];
}

/** Storage, retention and scans on their own database and folder. */
export async function createTestStorage() {
  const database = await createTestDatabase();
  const { pool, prisma } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-storage-'));
  const recordingsDir = join(dataDir, 'recordings');
  await mkdir(recordingsDir);
  const log = pino({ level: 'silent' });
  const { writer, settings, notifier } = createTestWriter(pool);
  const clock = manualClock(testNow);
  const disk = { freeBytes: 1e15 as number | undefined };
  const process = { uptimeMs: 10 * day };
  const files = new FileRemover({ pool, recordingsDir, dataDir, log });
  const readFreeBytes = async () => disk.freeBytes;
  const readUptimeMs = () => process.uptimeMs;
  const deps = {
    ...{ pool, prisma, recordingsDir, writer, files, settings, clock, log },
    ...{ readFreeBytes, readUptimeMs },
  };
  const tools = createMediaTools({ ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe' }, 1);
  const inspect = createVideoInspector({
    ...deps,
    notifier,
    dataDir,
    tools,
    fileTimeoutMs: day,
  });
  const metrics = createMetrics('system');
  const jobs = startJobs({
    ...{ pool, prisma, notifier, log, clock, metrics: createJobMetrics(metrics.registry, ['scan']) },
    kinds: [createScanJob({ ...deps, ...tools, inspect })],
    pollIntervalMs: 100,
  });
  const app = createApp({ log, metrics, consistencyTokens: notifier });
  storageRoutes(app, deps);
  retentionRoutes(app, deps);
  recordingsScanRoutes(app, { jobs, prisma });
  let count = 0;

  async function send(method: 'GET' | 'POST', path: string, payload?: object) {
    const url = `/api/ui${path}`;
    const response = await app.inject({
      method,
      url,
      headers: { 'x-hub-caller': 'admin' },
      ...(payload && { payload }),
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  }

  async function stop(): Promise<void> {
    await settings.close();
    await app.close();
    await jobs.close();
  }

  return {
    database,
    stop,
    dataDir,
    disk,
    process,
    deps,
    inspect,
    clock,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: object) => send('POST', path, body),
    /** Posts a recording with a file of the given size. Returns its id and the file. */
    async add(given: GivenRecording = {}) {
      count += 1;
      const { daysAgo = 0, videoPath = `${count}/video.mp4`, sizeBytes = 100, cameraId = 'garden' } = given;
      const { favorite = false, hasStoredSize = true, detections } = given;
      const start = testNow - daysAgo * day;
      const file = join(recordingsDir, videoPath.replace(/^data\/recordings\//, ''));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.alloc(sizeBytes));
      const recording = aRecording({ start, videoPath, cameraId, ...(detections && { detections }) });
      const { videoId } = await writer.post(recording, 'test');
      if (hasStoredSize) await writer.saveFileStates([{ videoId, state: 'ready', sizeBytes }]);
      if (favorite) await writer.markFavorite(videoId, true);
      return { id: videoId, file, recording };
    },
    /** Places a file as an upload does, some hours ago. */
    async upload(path: string, { sizeBytes = 100, hoursAgo = 0 } = {}) {
      const file = join(recordingsDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.alloc(sizeBytes));
      await recordUpload(pool, { path, bytes: sizeBytes, modifiedMs: (await stat(file)).mtimeMs });
      const uploadedAt = new Date(clock.now() - hoursAgo * 3_600_000);
      await pool.query('UPDATE uploaded_file SET uploaded_at = $2 WHERE path = $1', [path, uploadedAt]);
      return file;
    },
    /** Returns each recording, and whether its file exists. */
    async list() {
      const { rows } = await pool.query<{ id: number; media: string; path: string; favorite: boolean }>(
        `SELECT id, media, regexp_replace(video_path, '^data/recordings/', '') AS path, favorite FROM video ORDER BY id`,
      );
      return rows.map(({ path, ...row }) => ({ ...row, hasFile: existsSync(join(recordingsDir, path)) }));
    },
    async change(group: string, values: object) {
      await pool.query(
        `UPDATE setting SET value = value || jsonb_build_object($1::text, coalesce(value -> $1, '{}') || $2::jsonb),
           version = version + 1 WHERE key = 'hub'`,
        [group, JSON.stringify(values)],
      );
      settings.forget();
    },
    async clear() {
      await pool.query(
        `TRUNCATE video, deleted_video, detection, species_visit, visit_day, visit_month, species_total, hub_counter,
           media_quarter, file_removal, uploaded_file, outbox, activity_log, processor_heartbeat, job CASCADE`,
      );
      await storeSettings(pool, {});
      await pool.query('UPDATE storage_state SET exhausted = false');
      settings.forget();
      disk.freeBytes = 1e15;
      process.uptimeMs = 10 * day;
      await rm(recordingsDir, { recursive: true });
      await mkdir(recordingsDir);
    },
    async close() {
      await stop();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The result of {@link createTestStorage}. */
export type TestStorage = Awaited<ReturnType<typeof createTestStorage>>;
