import { folderOf, pathInRecordings } from '@birdhub/domain/media';
import type { FileRemover } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import {
  bytesPerGb,
  expectedBytes,
  forgetPostedUploads,
  freshUploadMs,
  hasKnownFiles,
  minFreeBytes,
  type ReadFreeBytes,
  readWaitingUploads,
  removeWaitingUploads,
  type WaitingUploads,
} from '@birdhub/domain/storage';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { type Clock, daysBefore, localDay, startOfDay } from '@birdhub/shared/time';
import { needsConfirmation, type PurgeDeps, requireConfirmation } from '../storage/purge-storage.js';
import {
  allTime,
  countRecordings,
  type MeasuredRecording,
  measureFiles,
  readRecordings,
} from '../storage/stored-recordings.store.js';
import { chooseVictims, type RetentionGoal, type Victim } from './choose-files-to-purge.js';
import type { RetentionReasons, RetentionRun } from './retention.schema.js';
import { listBestRecordings, readStoredFiles, saveRetentionRun } from './retention.store.js';

/** Dependencies of retention. */
export interface RetentionDeps extends PurgeDeps {
  readonly files: Pick<FileRemover, 'removeAll' | 'canRemove'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly readFreeBytes: ReadFreeBytes;
  /** Returns how long the service has been running, in ms, whatever its clock was set to. */
  readonly readUptimeMs: () => number;
}

/** The result or preview of retention. */
export interface RetentionOutcome {
  readonly message: string;
  readonly deletedCount: number;
  readonly deletedSize: number;
  readonly reasons: RetentionReasons;
}

type PurgedFiles = Omit<RetentionOutcome, 'message'>;

/** A request to apply retention. */
export interface RetentionRequest {
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
  readonly requestId: string;
  readonly startedBy: RetentionRun['started_by'];
  /** Ends the removal of uploads. */
  readonly signal?: AbortSignal;
}

const nothingPurged = {
  deletedCount: 0,
  deletedSize: 0,
  reasons: { age: 0, max_gb: 0, min_free: 0, favorite: 0, best_of_species: 0 },
};

const noGoal: RetentionGoal = { cutoff: Number.NEGATIVE_INFINITY, overBytes: 0, shortBytes: 0 };

/** Removes uploads without a recording if space is needed, unless it is a dry run, before the files of recordings. */
async function findGoal(
  deps: RetentionDeps,
  { isDryRun, signal }: Pick<RetentionRequest, 'isDryRun' | 'signal'>,
): Promise<RetentionGoal> {
  const { pool, settings, clock, files, readFreeBytes, log } = deps;
  const { retention, general } = await settings.current();
  // Removes previously purged files before free space is measured.
  await files.removeAll();
  const { bytes, areStuck } = await readStoredFiles(pool);
  if (areStuck) {
    log.warn('purged files cannot be removed, so no more are purged');
    return noGoal;
  }
  const free = await readFreeBytes();
  const today = localDay(general.timezone, clock.now());
  const { days, max_gb } = retention;
  const overBytes = max_gb === 0 ? Number.NEGATIVE_INFINITY : bytes - max_gb * bytesPerGb;
  const shortBytes = free === undefined ? Number.NEGATIVE_INFINITY : minFreeBytes(retention) - free;
  await forgetPostedUploads(pool);
  const uploads = await readUploads(deps);
  const needed = Math.max(overBytes + uploads.bytes, shortBytes);
  const removable = Math.min(uploads.bytes - uploads.freshBytes, needed);
  const freed =
    removable > 0 && !isDryRun ? await freeUploads(deps, removable, signal) : Math.max(removable, 0);
  return {
    cutoff: days === 0 ? Number.NEGATIVE_INFINITY : startOfDay(general.timezone, daysBefore(today, days)),
    overBytes: Math.max(overBytes, 0),
    // Uploads that may still be posted cost few recordings; they are removed later if they are not posted.
    shortBytes: Math.max(shortBytes - freed - expectedBytes(uploads, minFreeBytes(retention)), 0),
  };
}

/**
 * Measures the uploads that no recording names. Within a day of the start all are fresh: detectors that waited for the hub
 * have not posted yet, and the clock may just have been set.
 */
export async function readUploads({
  pool,
  clock,
  readUptimeMs,
}: Pick<RetentionDeps, 'pool' | 'clock' | 'readUptimeMs'>): Promise<WaitingUploads> {
  const uploads = await readWaitingUploads(pool, clock.now());
  return readUptimeMs() < freshUploadMs ? { ...uploads, freshBytes: uploads.bytes } : uploads;
}

async function freeUploads(deps: RetentionDeps, maxBytes: number, signal?: AbortSignal): Promise<number> {
  if (!(await isMounted(deps))) return 0;
  const before = deps.clock.now() - freshUploadMs;
  const removed = await removeWaitingUploads(deps, { before, maxBytes, ...(signal && { signal }) });
  if (removed.files) deps.log.info(removed, 'uploaded files without a recording removed, as space is needed');
  return removed.bytes;
}

/** Returns whether the disk of the recordings seems to be mounted; without it, a purge would free nothing. */
async function isMounted(deps: RetentionDeps): Promise<boolean> {
  if (await hasKnownFiles(deps)) return true;
  deps.log.warn('nothing purged, as the files of the recordings are missing: is their disk mounted?');
  return false;
}

/** Yields the recordings whose files can be removed. */
async function* readMeasured({
  pool,
  recordingsDir,
  files,
}: RetentionDeps): AsyncGenerator<MeasuredRecording[]> {
  const stuckFolders = new Set((await readStoredFiles(pool)).stuckFolders);
  const isStuck = (videoPath: string) => stuckFolders.has(folderOf(pathInRecordings(videoPath)));
  for await (const page of readRecordings(pool, 'with-file', allTime)) {
    const measured = await measureFiles(recordingsDir, page);
    const canRemove = await Promise.all(measured.map(({ videoPath }) => files.canRemove(videoPath)));
    yield measured.filter(
      ({ hasFile, videoPath }, index) => hasFile && canRemove[index] && !isStuck(videoPath),
    );
  }
}

/** Iterates over the files to purge; `purge` returns which of a page were purged. */
async function forEachVictim(
  deps: RetentionDeps,
  goal: RetentionGoal,
  purge: (victims: readonly Victim[]) => Promise<ReadonlySet<number>>,
): Promise<PurgedFiles> {
  const { pool, settings, log } = deps;
  const { keep_best_per_species } = (await settings.current()).retention;
  const reasons = { ...nothingPurged.reasons };
  const sum = { ...nothingPurged, reasons };
  let best: Promise<ReadonlySet<number>> | undefined;
  const readBest = () => {
    best ??= listBestRecordings(pool, keep_best_per_species);
    return best;
  };
  const keep = (reason: 'favorite' | 'best_of_species') => {
    reasons[reason] += 1;
  };
  for await (const victims of chooseVictims(readMeasured(deps), goal, readBest, keep)) {
    const purged = await purge(victims);
    for (const { id, reason, sizeBytes } of victims) {
      if (!purged.has(id)) continue;
      reasons[reason] += 1;
      sum.deletedCount += 1;
      sum.deletedSize += sizeBytes;
    }
    log.debug({ recordings: sum.deletedCount, bytes: sum.deletedSize }, 'retention in progress');
  }
  return sum;
}

/** Counts the files to purge. */
const findVictims = (deps: RetentionDeps, goal: RetentionGoal) =>
  forEachVictim(deps, goal, async (victims) => new Set(victims.map(({ id }) => id)));

async function purgeAll(deps: RetentionDeps, request: RetentionRequest): Promise<RetentionOutcome> {
  const { pool, log } = deps;
  const { isConfirmed, startedBy, signal } = request;
  const goal = await findGoal(deps, { isDryRun: false, ...(signal && { signal }) });
  const found = await findVictims(deps, goal);
  const count = found.deletedCount;
  if (count === 0) return saveOutcome(deps, request, found);
  if (!(await isMounted(deps))) return { message: 'success', ...nothingPurged };
  const total = await countRecordings(pool, 'with-file');
  if (startedBy === 'request') requireConfirmation(count, total, isConfirmed);
  else if (needsConfirmation(count, total)) {
    const awaiting = { count, total };
    log.warn(awaiting, 'retention would purge more than half of all recordings and requires a confirmation');
    // Expired recordings do not keep it from freeing the space for new ones.
    const spaceGoal = { ...noGoal, shortBytes: goal.shortBytes };
    const { deletedCount } = await findVictims(deps, spaceGoal);
    const isRefused = needsConfirmation(deletedCount, total);
    const outcome = isRefused ? nothingPurged : await purge(deps, request, spaceGoal);
    return saveOutcome(deps, request, outcome, awaiting);
  }
  return saveOutcome(deps, request, await purge(deps, request, goal));
}

async function purge(
  deps: RetentionDeps,
  { requestId }: RetentionRequest,
  goal: RetentionGoal,
): Promise<PurgedFiles> {
  const { writer, files, log } = deps;
  const outcome = await forEachVictim(deps, goal, async (recordings) => {
    const { purged } = await writer.purge({ recordings, includeFavorites: false }, requestId);
    return new Set(purged);
  });
  await files.removeAll();
  log.info(outcome, 'retention applied');
  return outcome;
}

async function saveOutcome(
  { pool }: RetentionDeps,
  { startedBy }: RetentionRequest,
  outcome: PurgedFiles,
  awaiting: RetentionRun['awaiting_confirmation'] = null,
): Promise<RetentionOutcome> {
  await saveRetentionRun(pool, { started_by: startedBy, ...outcome, awaiting_confirmation: awaiting });
  return { message: 'success', ...outcome };
}

/**
 * Purges files by the rules of the settings, oldest first. Returns undefined without doing anything while another
 * process runs retention.
 * @throws HubError confirm_required
 */
export async function applyRetention(
  deps: RetentionDeps,
  request: RetentionRequest,
): Promise<RetentionOutcome | undefined> {
  if (request.isDryRun) {
    const goal = await findGoal(deps, request);
    return { message: 'dry run', ...(await findVictims(deps, goal)) };
  }
  const done = await withAdvisoryLock(deps.pool, lockNames.purge, () => purgeAll(deps, request));
  return done?.result;
}

/**
 * Like {@link applyRetention}, but throws when another run is in progress.
 * @throws HubError confirm_required, job_running
 */
export async function requireRetention(
  deps: RetentionDeps,
  request: RetentionRequest,
): Promise<RetentionOutcome> {
  const outcome = await applyRetention(deps, request);
  if (!outcome) throw new HubError('job_running');
  return outcome;
}
