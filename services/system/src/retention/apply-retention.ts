import type { SettingsReader } from '@birdhub/domain/settings';
import { bytesPerGb, freeFloor, type ReadFreeBytes } from '@birdhub/domain/storage';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, daysBefore, localDay, startOfDay } from '@birdhub/shared/time';
import { type MeasuredRecording, measureFiles } from '../storage/measure-files.js';
import type { ClearingDependencies } from '../storage/purge-storage.js';
import { requireConfirmation } from '../storage/require-confirmation.js';
import { countRecordings, readRecordings } from '../storage/stored-recordings.store.js';
import { listBestRecordings } from './best-recordings.store.js';
import { chooseVictims, type RetentionGoal, type Victim } from './choose-victims.js';
import type { RetentionReasons, RetentionRun } from './retention.schema.js';
import { noteRetentionRun, readStoredFiles } from './retention.store.js';

/** What retention works with. */
export interface RetentionDependencies extends ClearingDependencies {
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly readFreeBytes: ReadFreeBytes;
}

/** What went, or would go, and why; by which a reader knows that it has heard of it. */
export interface RetentionOutcome {
  readonly message: string;
  readonly deletedCount: number;
  readonly deletedSize: number;
  readonly reasons: RetentionReasons;
  readonly bell: string | undefined;
}

/** How retention is asked for. */
export interface RetentionRequest {
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
  readonly requestId: string;
  readonly startedBy: RetentionRun['started_by'];
}

const everything = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
async function findGoal(dependencies: RetentionDependencies): Promise<RetentionGoal> {
  const { pool, settings, clock, files, readFreeBytes, log } = dependencies;
  const { retention, general } = await settings.current();
  // What was given up before is no longer on the disk when that is looked at.
  await files.removeAll();
  const { bytes, areStuck } = await readStoredFiles(pool);
  if (areStuck) log.warn('files that were given up cannot be removed, no more go to free space');
  const free = areStuck ? undefined : await readFreeBytes();
  const today = localDay(general.timezone, clock.now());
  const { days, max_gb } = retention;
  return {
    cutoff: days === 0 ? Number.NEGATIVE_INFINITY : startOfDay(general.timezone, daysBefore(today, days)),
    overBytes: max_gb === 0 ? 0 : bytes - max_gb * bytesPerGb,
    shortBytes: free === undefined ? 0 : freeFloor(retention) - free,
  };
}

async function* readMeasured({
  pool,
  recordingsDir,
}: RetentionDependencies): AsyncGenerator<MeasuredRecording[]> {
  for await (const page of readRecordings(pool, 'with-file', everything)) {
    const measured = await measureFiles(recordingsDir, page);
    yield measured.filter(({ hasFile }) => hasFile);
  }
}

/** Goes through what shall go; `clear` answers which of a slice did. */
async function runOver(
  dependencies: RetentionDependencies,
  goal: RetentionGoal,
  clear: (victims: readonly Victim[]) => Promise<ReadonlySet<number>>,
): Promise<Omit<RetentionOutcome, 'bell' | 'message'>> {
  const { pool, settings, log } = dependencies;
  const { keep_best_per_species } = (await settings.current()).retention;
  const reasons = { age: 0, max_gb: 0, min_free: 0, favorite: 0, best_of_species: 0 };
  const sum = { deletedCount: 0, deletedSize: 0, reasons };
  let best: Promise<ReadonlySet<number>> | undefined;
  const readBest = () => {
    best ??= listBestRecordings(pool, keep_best_per_species);
    return best;
  };
  const keep = (reason: 'favorite' | 'best_of_species') => {
    reasons[reason] += 1;
  };
  for await (const victims of chooseVictims(readMeasured(dependencies), goal, readBest, keep)) {
    const gone = await clear(victims);
    for (const { id, reason, sizeBytes } of victims) {
      if (!gone.has(id)) continue;
      reasons[reason] += 1;
      sum.deletedCount += 1;
      sum.deletedSize += sizeBytes;
    }
    log.debug({ recordings: sum.deletedCount, bytes: sum.deletedSize }, 'retention so far');
  }
  return sum;
}

const idsOf = (victims: readonly Victim[]) => new Set(victims.map(({ id }) => id));

async function clearAll(
  dependencies: RetentionDependencies,
  { isConfirmed, requestId, startedBy }: RetentionRequest,
): Promise<RetentionOutcome> {
  const { pool, writer, files, log } = dependencies;
  const message = 'success';
  const goal = await findGoal(dependencies);
  const found = await runOver(dependencies, goal, async (victims) => idsOf(victims));
  if (found.deletedCount === 0) {
    await noteRetentionRun(pool, { started_by: startedBy, ...found });
    return { message, ...found, bell: undefined };
  }
  requireConfirmation(found.deletedCount, await countRecordings(pool, 'with-file'), isConfirmed);
  let bell: string | undefined;
  const outcome = await runOver(dependencies, goal, async (recordings) => {
    const { purged, bell: token } = await writer.purge({ recordings, includeFavorites: false }, requestId);
    bell = token ?? bell;
    return new Set(purged);
  });
  await files.removeAll();
  await noteRetentionRun(pool, { started_by: startedBy, ...outcome });
  log.info(outcome, 'files cleared by the rules of retention');
  return { message, ...outcome, bell };
}

/**
 * Clears the files that the rules of the settings give up, oldest first; undefined, and nothing is done, while it is
 * being done elsewhere.
 * @throws HubError confirm_required
 */
export async function applyRetention(
  dependencies: RetentionDependencies,
  request: RetentionRequest,
): Promise<RetentionOutcome | undefined> {
  if (request.isDryRun) {
    const goal = await findGoal(dependencies);
    const found = await runOver(dependencies, goal, async (victims) => idsOf(victims));
    return { message: 'dry run', ...found, bell: undefined };
  }
  const done = await withAdvisoryLock(dependencies.pool, lockNames.clearing, () =>
    clearAll(dependencies, request),
  );
  return done?.result;
}

/** As {@link applyRetention}. @throws HubError confirm_required, job_running */
export async function requireRetention(
  dependencies: RetentionDependencies,
  request: RetentionRequest,
): Promise<RetentionOutcome> {
  const outcome = await applyRetention(dependencies, request);
  if (!outcome) throw new HubError('job_running');
  return outcome;
}
