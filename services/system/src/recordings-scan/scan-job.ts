import type { WholeJobKind, WholeRun } from '../jobs/job.js';
import { readProcessorState } from '../processor/heartbeat.store.js';
import { isFresh } from '../processor/is-fresh.js';
import { countRecordings } from '../storage/stored-recordings.store.js';
import { countImported, countMissing, listCameraIds } from './known-files.store.js';
import type { ScanAnswer } from './recordings-scan.schema.js';
import { Scan, type ScanDependencies } from './scan.js';

async function prepareScan(dependencies: ScanDependencies, run: WholeRun): Promise<Scan> {
  const { pool, prisma, settings, clock, recordingsDir, ffprobePath } = dependencies;
  const { general, video } = await settings.current();
  const [cameraIds, { heartbeat }, recordings, imported] = await Promise.all([
    listCameraIds(prisma),
    readProcessorState(pool),
    countRecordings(pool, 'with-file'),
    run.isResumed ? countImported(pool, run.startedAt) : 0,
  ]);
  const cameras = new Set([...video.cameras.map(({ id }) => id), ...cameraIds]);
  const now = clock.now();
  const where = { recordingsDir, ffprobePath, zone: general.timezone, cameras, now };
  const isProcessorAlive = heartbeat !== undefined && isFresh(heartbeat.at, now);
  return new Scan(dependencies, { where, isProcessorAlive, imported, recordings }, run);
}

/** Sets files and recordings right with each other. Safe to repeat, and while processors post. */
export function createScanJob(dependencies: ScanDependencies): WholeJobKind {
  const { pool, log } = dependencies;
  return {
    name: 'scan',
    async perform(run): Promise<ScanAnswer> {
      const scan = await prepareScan(dependencies, run);
      const before = scan.counts.imported;
      await scan.walkFiles();
      await scan.walkRecordings();
      const { imported, known, unreadable, arriving } = scan.counts;
      const answer = {
        message: arriving ? `success, ${arriving} files are still arriving` : 'success',
        imported,
        // What it imported before it was cut short is no news of others.
        already_known: Math.max(0, known - before),
        missing_files: await countMissing(pool),
        unreadable,
      };
      log.info({ ...answer, reasons: Object.fromEntries(scan.reasons) }, 'recordings scanned');
      return answer;
    },
  };
}
