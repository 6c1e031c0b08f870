import { resolve } from 'node:path';
import type { Bus } from '@birdhub/shared/bus';
import type { FrameTools } from '@birdhub/shared/media';
import type { RecordingWriter } from '@birdhub/shared/recordings';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Jobs, openJobs } from './jobs/job-runner.js';
import { openDerivedMedia } from './media/derived-media.js';
import { createMediaTools } from './media/media-tools.js';
import { createSpectrogramJob } from './spectrograms/spectrogram-job.js';
import { createTrackJob } from './tracks/track-job.js';

const hourMs = 3_600_000;

/** What is made of recordings is made with. */
export interface MediaOpening {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly writer: RecordingWriter;
  readonly recordingsDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: FrameTools & {
    readonly dataDir: string;
    readonly mediaToolsAtOnce: number;
    readonly mediaWaitHours: number;
  };
}

/** Looks into recordings as they come, and goes on with the jobs that make things of many. */
export function openMedia(opening: MediaOpening): { jobs: Jobs; close(): Promise<void> } {
  const { dataDir, mediaToolsAtOnce, mediaWaitHours } = opening.config;
  const tools = createMediaTools(opening.config, mediaToolsAtOnce);
  const parts = { ...opening, dataDir: resolve(dataDir), tools, waitMs: mediaWaitHours * hourMs };
  const derived = openDerivedMedia(parts);
  const jobs = openJobs({ ...opening, kinds: [createSpectrogramJob(parts), createTrackJob(parts)] });
  const close = async () => {
    await Promise.all([derived.close(), jobs.close()]);
  };
  return { jobs, close };
}
