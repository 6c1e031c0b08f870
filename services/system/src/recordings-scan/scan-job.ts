import {
  type JobFailure,
  type JobProgress,
  maxFailures,
  type TaskJobKind,
  type TaskRun,
  toJobFailure,
} from '@birdhub/domain/jobs';
import { anyCameraSql, namesFile, statMediaFile, videoPathOf } from '@birdhub/domain/media';
import type { FileState, RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import {
  type FoundVideo,
  findComplete,
  requireKnownFiles,
  type Unreadable,
  walkTree,
} from '@birdhub/domain/storage';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { InspectVideo } from '../media/video-inspector.js';
import { isFresh, readProcessorState } from '../processor/heartbeat.store.js';
import {
  allTime,
  countRecordings,
  readRecordings,
  type StoredRecording,
} from '../storage/stored-recordings.store.js';
import { describeVideo, type VideoContext } from './describe-video.js';
import type { ScanResult } from './recordings-scan.schema.js';

/** Dependencies of a scan. */
export interface ScanDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly writer: Pick<RecordingWriter, 'post' | 'saveFileStates' | 'restore'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly recordingsDir: string;
  readonly ffprobePath: string;
  readonly inspect: InspectVideo;
  readonly log: Logger;
}

/** The counts of a scan. */
interface ScanCounts {
  imported: number;
  known: number;
  unreadable: number;
  arriving: number;
}

/** The state at the start of a scan. */
interface ScanStart {
  readonly context: VideoContext;
  readonly isProcessorAlive: boolean;
  /** Files imported before it was interrupted. */
  readonly imported: number;
  /** Number of recordings that may have a file. */
  readonly recordings: number;
}

const pageSize = 200;
const maxConcurrentPosts = 4;
/** A processor may post a recording before its file is complete, so it is awaited. */
const fileTimeoutMs = 600_000;

/** Creates the job that reconciles files and recordings; idempotent, and safe while processors post. */
export function createScanJob(deps: ScanDeps): TaskJobKind {
  const { pool, log } = deps;
  return {
    name: 'scan',
    async perform(run): Promise<ScanResult> {
      const isConfirmed = 'confirm' in run.parameters && run.parameters.confirm === true;
      if (!isConfirmed) await requireKnownFiles(deps);
      const scan = await prepareScan(deps, run);
      const before = scan.counts.imported;
      await scan.walkFiles();
      await scan.walkRecordings(isConfirmed);
      const { imported, known, unreadable, arriving } = scan.counts;
      const result = {
        message: arriving ? `success, ${arriving} files are still arriving` : 'success',
        imported,
        // Files that an interrupted run imported are not counted as known.
        already_known: Math.max(0, known - before),
        missing_files: await countMissing(pool),
        unreadable,
      };
      log.info({ ...result, reasons: Object.fromEntries(scan.reasons) }, 'recordings scanned');
      return result;
    },
  };
}

async function prepareScan(deps: ScanDeps, run: TaskRun): Promise<Scan> {
  const { pool, prisma, settings, clock, recordingsDir, ffprobePath } = deps;
  const { general, video } = await settings.current();
  const [cameraIds, { heartbeat }, recordings, imported] = await Promise.all([
    listCameraIds(prisma),
    readProcessorState(pool),
    countRecordings(pool, 'with-file'),
    run.isResumed ? countImported(pool, run.startedAt) : 0,
  ]);
  const cameras = new Set([...video.cameras.map(({ id }) => id), ...cameraIds]);
  const now = clock.now();
  const context = { recordingsDir, ffprobePath, zone: general.timezone, cameras, now };
  const isProcessorAlive = heartbeat !== undefined && isFresh(heartbeat.at, now);
  return new Scan(deps, { context, isProcessorAlive, imported, recordings }, run);
}

/** A pass over the tree and the recordings. */
class Scan {
  readonly counts: ScanCounts;
  /** Number of unreadable files by reason. */
  readonly reasons = new Map<string, number>();
  readonly #failures: JobFailure[] = [];
  readonly #deps: ScanDeps;
  readonly #start: ScanStart;
  readonly #run: Pick<TaskRun, 'report' | 'signal'>;
  #files = 0;
  #recordings = 0;

  constructor(deps: ScanDeps, start: ScanStart, run: Pick<TaskRun, 'report' | 'signal'>) {
    this.#deps = deps;
    this.#start = start;
    this.#run = run;
    this.counts = { imported: start.imported, known: 0, unreadable: 0, arriving: 0 };
  }

  /** Imports files without a recording, and corrects the state of others. */
  async walkFiles(): Promise<void> {
    let slice: FoundVideo[] = [];
    for await (const found of walkTree(this.#deps.recordingsDir)) {
      this.#files += 1;
      if ('reason' in found) this.#refuse(found);
      else slice.push(found);
      if (slice.length < pageSize) continue;
      await this.#processFiles(slice);
      slice = [];
    }
    await this.#processFiles(slice);
  }

  /** Marks recordings without a file as `missing`. */
  async walkRecordings(isConfirmed: boolean): Promise<void> {
    const { pool, writer } = this.#deps;
    for await (const page of readRecordings(pool, 'with-file', allTime)) {
      const states = await Promise.all(page.map((recording) => this.#findMissing(recording)));
      const missing = states.filter((state) => state !== undefined);
      // The disk may have been unmounted since the start.
      if (!isConfirmed && missing.length * 2 > page.length) await requireKnownFiles(this.#deps);
      if (missing.length) await writer.saveFileStates(missing);
      this.#recordings += page.length;
      await this.#report();
    }
  }

  /** Files are walked first, then recordings. */
  #report(): Promise<void> {
    const { imported, known, unreadable } = this.counts;
    const { recordings } = this.#start;
    const counts: JobProgress = {
      total: Math.max(this.#files, recordings) + recordings,
      processed: this.#files + this.#recordings,
      generated: imported,
      skipped: known,
      failed: unreadable,
      failures: this.#failures,
    };
    return this.#run.report(counts);
  }

  async #findMissing({ id, videoPath, start, sizeBytes }: StoredRecording): Promise<FileState | undefined> {
    const { clock, recordingsDir } = this.#deps;
    const isAwaited = sizeBytes === null && clock.now() - start < fileTimeoutMs;
    if (isAwaited || (await statMediaFile(recordingsDir, videoPath))) return undefined;
    return { videoId: id, state: 'missing' };
  }

  async #processFiles(videos: readonly FoundVideo[]): Promise<void> {
    const { pool, recordingsDir, clock } = this.#deps;
    const paths = new Map(videos.map((video) => [video.path, video]));
    const rows = await listKnownFiles(pool, [...paths.keys()]);
    for (const row of rows) {
      const video = paths.get(row.path);
      if (video) await this.#reconcile(video, row);
    }
    const known = new Set(rows.map((row) => row.path));
    this.counts.known += known.size;
    const unknown = videos.filter(({ path }) => !known.has(path));
    const { isProcessorAlive } = this.#start;
    const complete = await findComplete(unknown, { recordingsDir, now: clock.now(), isProcessorAlive });
    this.counts.arriving += unknown.length - complete.length;
    const imported = await pLimit(maxConcurrentPosts).map(complete, (video) => this.#import(video));
    await this.#deps.writer.saveFileStates(imported.filter((state) => state !== undefined));
    await this.#report();
  }

  /** Corrects the state of a recording with a file; awaited files are left to derived media. */
  async #reconcile(video: FoundVideo, known: KnownFile): Promise<void> {
    const { writer, recordingsDir } = this.#deps;
    const { id, media, sizeBytes, unreadableAt } = known;
    if (id === null) return;
    if (media === 'missing' && unreadableAt !== null) return this.#reconsider(video, known, id);
    const isChanged = media === 'missing' || (media === 'ready' && sizeBytes !== video.size);
    if (isChanged) await writer.saveFileStates([{ videoId: id, state: 'ready', sizeBytes: video.size }]);
    if (media === 'purged')
      await writer.restore(
        id,
        async () => (await statMediaFile(recordingsDir, videoPathOf(video.path)))?.size,
      );
  }

  /** Inspects an unreadable file again when it has changed. */
  async #reconsider(video: FoundVideo, { sizeBytes, unreadableAt }: KnownFile, id: number): Promise<void> {
    const isSame = sizeBytes === video.size && unreadableAt?.getTime() === Math.floor(video.modifiedMs);
    if (!isSame) await this.#deps.inspect(id, { signal: this.#run.signal });
  }

  async #import(video: FoundVideo): Promise<FileState | undefined> {
    const found = await describeVideo(video, this.#start.context);
    if ('reason' in found) {
      this.#refuse(found);
      return undefined;
    }
    const { created, videoId } = await this.#deps.writer.post(found, 'scan', { onlyNew: true });
    this.counts[created ? 'imported' : 'known'] += 1;
    return created ? { videoId, state: 'ready', sizeBytes: video.size } : undefined;
  }

  #refuse({ path, reason: problem }: Unreadable): void {
    this.counts.unreadable += 1;
    const failure = toJobFailure({ path }, problem);
    const { reason } = failure;
    if (this.#failures.length < maxFailures) this.#failures.push(failure);
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.#deps.log.debug({ path, reason }, 'file not imported');
  }
}

/** A file and its recording. */
interface KnownFile {
  /** Path relative to the recordings tree. */
  readonly path: string;
  /** Null for a deleted recording. */
  readonly id: number | null;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged' | 'none' | null;
  readonly sizeBytes: number | null;
  /** Modification time of an unreadable file; null when it is readable or unknown. */
  readonly unreadableAt: Date | null;
}

const isOfFile = namesFile('video_path', 'path');

const knownSql = `
  WITH ${anyCameraSql}
  SELECT path, known.* FROM unnest($1::text[]) AS given (path) CROSS JOIN LATERAL (
    SELECT id, media, file_size AS "sizeBytes", unreadable_at AS "unreadableAt"
    FROM any_camera JOIN video USING (camera_id) WHERE ${isOfFile}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL FROM any_camera JOIN deleted_video USING (camera_id) WHERE ${isOfFile}
  ) AS known`;

/** Returns the recordings of files, deleted ones included. */
async function listKnownFiles(pool: pg.Pool, paths: readonly string[]): Promise<KnownFile[]> {
  const { rows } = await pool.query<KnownFile>({ name: 'known-files', text: knownSql, values: [paths] });
  return rows;
}

/** Returns the ids of all cameras of recordings. */
async function listCameraIds({ camera }: PrismaClient): Promise<string[]> {
  return (await camera.findMany({ select: { id: true } })).map(({ id }) => id);
}

/** Counts the recordings without a file. */
async function countMissing(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM video WHERE media = 'missing'`,
  );
  return rows[0]?.count ?? 0;
}

/** Counts the recordings imported by scans since an instant. */
async function countImported(pool: pg.Pool, since: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM video WHERE created_at >= $1 AND trigger_source = 'scan'`,
    [since],
  );
  return rows[0]?.count ?? 0;
}
