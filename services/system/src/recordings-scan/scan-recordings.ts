import { runAlone } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { readProcessorState } from '../processor/heartbeat.store.js';
import { isFresh } from '../processor/is-fresh.js';
import { countMissing, listCameraIds } from './known-files.store.js';
import type { ScanAnswer } from './recordings-scan.schema.js';
import { Scan, type ScanDependencies } from './scan.js';

async function prepareScan(dependencies: ScanDependencies): Promise<Scan> {
  const { pool, settings, clock, recordingsDir, ffprobePath } = dependencies;
  const { general, video } = await settings.current();
  const [cameraIds, { heartbeat }] = await Promise.all([listCameraIds(pool), readProcessorState(pool)]);
  const cameras = new Set([...video.cameras.map(({ id }) => id), ...cameraIds]);
  const now = clock.now();
  const where = { recordingsDir, ffprobePath, zone: general.timezone, cameras, now };
  return new Scan(dependencies, where, heartbeat !== undefined && isFresh(heartbeat.at, now));
}

async function scanOnce(dependencies: ScanDependencies): Promise<ScanAnswer> {
  const scan = await prepareScan(dependencies);
  await scan.walkFiles();
  await scan.walkRecordings();
  const { imported, known, unreadable, arriving } = scan.counts;
  const answer = {
    message: arriving ? `success, ${arriving} files are still arriving` : 'success',
    imported,
    already_known: known,
    missing_files: await countMissing(dependencies.pool),
    unreadable,
  };
  dependencies.log.info({ ...answer, reasons: Object.fromEntries(scan.reasons) }, 'recordings scanned');
  return answer;
}

/**
 * Sets files and recordings right with each other. Safe to repeat, and while processors post.
 * @throws HubError job_running
 */
export async function scanRecordings(dependencies: ScanDependencies): Promise<ScanAnswer> {
  const done = await runAlone(dependencies.pool, 'recordings-scan', () => scanOnce(dependencies));
  if (!done) throw new HubError('job_running');
  return done.result;
}
