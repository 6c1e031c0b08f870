import { resolve } from 'node:path';
import type { FrameTools } from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { Bus } from '@birdhub/shared/bus';
import type { Bell, Database } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { createJobMetrics } from './jobs/job-metrics.js';
import { type Jobs, openJobs } from './jobs/job-runner.js';
import { openDerivedMedia } from './media/derived-media.js';
import { createMediaRepairJob } from './media/media-repair-job.js';
import { createMediaTools } from './media/media-tools.js';
import { createScanJob } from './recordings-scan/scan-job.js';
import { createSpectrogramJob } from './spectrograms/spectrogram-job.js';
import { createTrackJob } from './tracks/track-job.js';
import { keepVisitsAligned } from './visit-rebuild/keep-visits-aligned.js';
import { createVisitJob } from './visit-rebuild/visit-job.js';

const hourMs = 3_600_000;
/** Jobs are in no hurry, and run beside what recordings get as they come. */
const toolsOfJobsAtOnce = 1;

/** What is made of recordings is made with. */
export interface MediaOpening extends Pick<Database, 'pool' | 'prisma'> {
  readonly bus: Bus;
  readonly bell: Bell;
  readonly directory: SpeciesDirectory;
  readonly settings: SettingsReader;
  readonly metrics: ServiceMetrics;
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

/** Looks into recordings as they come, and goes on with jobs; visits are made anew when their rule has changed. */
export function openMedia(opening: MediaOpening): { jobs: Jobs; close(): Promise<void> } {
  const { dataDir, mediaToolsAtOnce, mediaWaitHours } = opening.config;
  const tools = createMediaTools(opening.config, toolsOfJobsAtOnce);
  const parts = { ...opening, dataDir: resolve(dataDir), tools, waitMs: mediaWaitHours * hourMs };
  const derived = openDerivedMedia({ ...parts, maxAtOnce: mediaToolsAtOnce });
  const { look } = derived;
  const kinds = [
    createSpectrogramJob(parts),
    createTrackJob(parts),
    createMediaRepairJob({ ...parts, look }),
    createScanJob({ ...parts, ...tools, look }),
    createVisitJob(parts),
  ];
  const jobs = openJobs({ ...parts, metrics: createJobMetrics(parts.metrics.registry), kinds });
  const stopAligning = keepVisitsAligned({ ...parts, jobs });
  const close = async () => {
    await stopAligning();
    await Promise.all([derived.close(), jobs.close()]);
  };
  return { jobs, close };
}
