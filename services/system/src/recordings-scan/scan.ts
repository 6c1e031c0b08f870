import { statMediaFile, videoPathOf } from '@birdhub/domain/media';
import type { MediaNote, RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { PrismaClient } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { JobCounts, JobFailure, WholeRun } from '../jobs/job.js';
import { maxFailures } from '../jobs/job-runs.store.js';
import type { LookIntoVideo } from '../media/derive-media.js';
import { readRecordings, type StoredRecording } from '../storage/stored-recordings.store.js';
import { describeVideo, type VideoSurroundings } from './describe-video.js';
import { findComplete } from './find-complete.js';
import { type KnownFile, listKnownFiles } from './known-files.store.js';
import { type FoundVideo, type Unreadable, walkTree } from './walk-tree.js';

/** What a scan works with. */
export interface ScanDependencies {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly writer: Pick<RecordingWriter, 'post' | 'noteMedia' | 'restore'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly recordingsDir: string;
  readonly ffprobePath: string;
  readonly look: LookIntoVideo;
  readonly log: Logger;
}

/** What a scan has found so far. */
export interface ScanCounts {
  imported: number;
  known: number;
  unreadable: number;
  arriving: number;
}

/** Where a scan begins. */
export interface ScanStart {
  readonly where: VideoSurroundings;
  readonly isProcessorAlive: boolean;
  /** What it imported before it was cut short. */
  readonly imported: number;
  /** Recordings that may have a file. */
  readonly recordings: number;
}

const sliceSize = 200;
const postsAtOnce = 4;
/** A processor may post a recording a little before its file is there. */
const awaitedMs = 600_000;
const everything = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };

/** One pass over the tree and the recordings. */
export class Scan {
  readonly counts: ScanCounts;
  /** How often something was unreadable for each reason. */
  readonly reasons = new Map<string, number>();
  readonly #failures: JobFailure[] = [];
  readonly #deps: ScanDependencies;
  readonly #start: ScanStart;
  readonly #run: Pick<WholeRun, 'report' | 'signal'>;
  #files = 0;
  #recordings = 0;

  constructor(deps: ScanDependencies, start: ScanStart, run: Pick<WholeRun, 'report' | 'signal'>) {
    this.#deps = deps;
    this.#start = start;
    this.#run = run;
    this.counts = { imported: start.imported, known: 0, unreadable: 0, arriving: 0 };
  }

  /** Files without a recording become one, and what recordings say of theirs is set right. */
  async walkFiles(): Promise<void> {
    let slice: FoundVideo[] = [];
    for await (const found of walkTree(this.#deps.recordingsDir)) {
      this.#files += 1;
      if ('reason' in found) this.#refuse(found);
      else slice.push(found);
      if (slice.length < sliceSize) continue;
      await this.#takeFiles(slice);
      slice = [];
    }
    await this.#takeFiles(slice);
  }

  /** Recordings whose files went without the hub are `missing` from now on. */
  async walkRecordings(): Promise<void> {
    const { pool, writer } = this.#deps;
    for await (const page of readRecordings(pool, 'with-file', everything)) {
      const notes = await Promise.all(page.map((recording) => this.#findLoss(recording)));
      const losses = notes.filter((note) => note !== undefined);
      if (losses.length) await writer.noteMedia(losses);
      this.#recordings += page.length;
      await this.#report();
    }
  }

  /** Files are looked at first, and the recordings after that. */
  #report(): Promise<void> {
    const { imported, known, unreadable } = this.counts;
    const { recordings } = this.#start;
    const counts: JobCounts = {
      total: Math.max(this.#files, recordings) + recordings,
      processed: this.#files + this.#recordings,
      generated: imported,
      skipped: known,
      failed: unreadable,
      failures: this.#failures,
    };
    return this.#run.report(counts);
  }

  async #findLoss({ id, videoPath, start, sizeBytes }: StoredRecording): Promise<MediaNote | undefined> {
    const { clock, recordingsDir } = this.#deps;
    const isAwaited = sizeBytes === null && clock.now() - start < awaitedMs;
    if (isAwaited || (await statMediaFile(recordingsDir, videoPath))) return undefined;
    return { videoId: id, state: 'missing' };
  }

  async #takeFiles(videos: readonly FoundVideo[]): Promise<void> {
    const { pool, recordingsDir, clock } = this.#deps;
    const paths = new Map(videos.map((video) => [video.path, video]));
    const rows = await listKnownFiles(pool, [...paths.keys()]);
    for (const row of rows) {
      const video = paths.get(row.path);
      if (video) await this.#reconcile(video, row);
    }
    const known = new Set(rows.map((row) => row.path));
    this.counts.known += known.size;
    const strange = videos.filter(({ path }) => !known.has(path));
    const { isProcessorAlive } = this.#start;
    const complete = await findComplete(strange, { recordingsDir, now: clock.now(), isProcessorAlive });
    this.counts.arriving += strange.length - complete.length;
    const imported = await pLimit(postsAtOnce).map(complete, (video) => this.#import(video));
    await this.#deps.writer.noteMedia(imported.filter((note) => note !== undefined));
    await this.#report();
  }

  /** Of a recording whose file is awaited others take care. */
  async #reconcile(video: FoundVideo, known: KnownFile): Promise<void> {
    const { writer, recordingsDir } = this.#deps;
    const { id, media, sizeBytes, unreadableAt } = known;
    if (id === null) return;
    if (media === 'missing' && unreadableAt !== null) return this.#reconsider(video, known, id);
    const isOther = media === 'missing' || (media === 'ready' && sizeBytes !== video.size);
    if (isOther) await writer.noteMedia([{ videoId: id, state: 'ready', sizeBytes: video.size }]);
    if (media === 'purged')
      await writer.restore(
        id,
        async () => (await statMediaFile(recordingsDir, videoPathOf(video.path)))?.size,
      );
  }

  /** What nobody could read is looked into again when it is another file by now. */
  async #reconsider(video: FoundVideo, { sizeBytes, unreadableAt }: KnownFile, id: number): Promise<void> {
    const isSame = sizeBytes === video.size && unreadableAt?.getTime() === Math.floor(video.modifiedMs);
    if (!isSame) await this.#deps.look(id, { signal: this.#run.signal });
  }

  async #import(video: FoundVideo): Promise<MediaNote | undefined> {
    const found = await describeVideo(video, this.#start.where);
    if ('reason' in found) {
      this.#refuse(found);
      return undefined;
    }
    const { created, videoId } = await this.#deps.writer.post(found, 'scan', { onlyNew: true });
    this.counts[created ? 'imported' : 'known'] += 1;
    return created ? { videoId, state: 'ready', sizeBytes: video.size } : undefined;
  }

  #refuse({ path, reason }: Unreadable): void {
    this.counts.unreadable += 1;
    if (this.#failures.length < maxFailures) this.#failures.push({ path, reason });
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    this.#deps.log.debug({ path, reason }, 'not taken for a recording');
  }
}
