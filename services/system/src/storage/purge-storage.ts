import type { Author, FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { type ErrorDetail, HubError } from '@birdhub/shared/errors';
import { dayWindow, isDay } from '@birdhub/shared/time';
import { invalidRequest } from '@birdhub/shared/validation';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PurgeBody, PurgeResult } from './storage.schema.js';
import {
  countRecordings,
  type MeasuredRecording,
  measureFiles,
  type RecordingSpan,
  readRecordings,
} from './stored-recordings.store.js';

/** Dependencies for purging files. */
export interface PurgeDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly writer: Pick<RecordingWriter, 'purge' | 'remove'>;
  readonly files: Pick<FileRemover, 'removeAll'>;
  readonly log: Logger;
}

/** A request to purge files. */
export interface PurgeRequest {
  readonly span: RecordingSpan;
  readonly isDryRun: boolean;
  readonly includesFavorites: boolean;
  readonly deletesHistory: boolean;
  readonly isConfirmed: boolean;
}

/** The result of one page of recordings. */
interface PageOutcome {
  readonly count: number;
  readonly bytes: number;
}

type Dates = Pick<PurgeBody, 'date' | 'start_date' | 'end_date'>;

const maxConcurrentRemovals = 4;

/** PostgreSQL only accepts ISO instants from year 1 on, and a zone may be ahead. */
const firstDay = '0002-01-01';
const lastDay = '9999-12-30';

/**
 * Purges the requested files, page by page. An interrupted run leaves rows and files consistent, and can be repeated.
 * @throws HubError confirm_required, job_running
 */
export async function purgeStorage(
  deps: PurgeDeps,
  request: PurgeRequest,
  author: Author,
): Promise<PurgeResult> {
  const found = await dryRun(deps, request);
  if (request.isDryRun) return found;
  const { pool } = deps;
  const total = await countRecordings(pool, request.deletesHistory ? 'all' : 'with-file');
  requireConfirmation(found.deletedCount, total, request.isConfirmed);
  const done = await withAdvisoryLock(pool, lockNames.purge, () => purgeAll(deps, request, author));
  if (!done) throw new HubError('job_running');
  return done.result;
}

async function dryRun(deps: PurgeDeps, request: PurgeRequest): Promise<PurgeResult> {
  const sum = { message: 'dry run', deletedCount: 0, deletedSize: 0, keptFavorites: 0 };
  for await (const { victims, favorites } of readVictims(deps, request)) {
    sum.deletedCount += victims.length;
    for (const { sizeBytes } of victims) sum.deletedSize += sizeBytes;
    sum.keptFavorites += favorites;
  }
  return sum;
}

async function purgeAll(deps: PurgeDeps, request: PurgeRequest, author: Author): Promise<PurgeResult> {
  const { files, log } = deps;
  const { includesFavorites, deletesHistory } = request;
  const sum = { message: 'success', deletedCount: 0, deletedSize: 0, keptFavorites: 0 };
  for await (const { victims, favorites } of readVictims(deps, request)) {
    const { count, bytes } = deletesHistory
      ? await removePage(deps, victims, author, !includesFavorites)
      : await purgePage(deps, victims, author, includesFavorites);
    sum.deletedCount += count;
    sum.deletedSize += bytes;
    sum.keptFavorites += favorites;
    log.info({ recordings: sum.deletedCount, bytes: sum.deletedSize }, 'purge in progress');
  }
  await files.removeAll();
  return sum;
}

/** Yields the purgeable recordings of a request, page by page. */
async function* readVictims(
  { pool, recordingsDir }: PurgeDeps,
  { span, includesFavorites, deletesHistory }: PurgeRequest,
): AsyncGenerator<{ victims: MeasuredRecording[]; favorites: number }> {
  for await (const page of readRecordings(pool, deletesHistory ? 'all' : 'with-file', span)) {
    const measured = await measureFiles(recordingsDir, page);
    const found = measured.filter(({ hasFile }) => hasFile || deletesHistory);
    const victims = found.filter(({ favorite }) => includesFavorites || !favorite);
    yield { victims, favorites: found.length - victims.length };
  }
}

async function purgePage(
  { writer }: PurgeDeps,
  recordings: readonly MeasuredRecording[],
  author: Author,
  includeFavorites: boolean,
): Promise<PageOutcome> {
  const { purged, bytes } = await writer.purge({ recordings, includeFavorites }, author.requestId);
  return { count: purged.length, bytes };
}

async function removePage(
  { writer }: PurgeDeps,
  victims: readonly MeasuredRecording[],
  author: Author,
  keepFavorite: boolean,
): Promise<PageOutcome> {
  const waiting = [...victims];
  const sum = { count: 0, bytes: 0 };
  async function removeSome(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const removal = await writer.remove(next.id, author, { keepFavorite }).catch(ignoreDeleted);
      if (!removal?.removed) continue;
      sum.count += 1;
      sum.bytes += next.sizeBytes;
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentRemovals }, removeSome));
  return sum;
}

/** Ignores that a recording was deleted concurrently. */
function ignoreDeleted(error: unknown): undefined {
  const isDeleted =
    error instanceof HubError && ['video_not_found', 'recording_deleted'].includes(error.code);
  if (!isDeleted) throw error;
}

/** Whether a purge requires a confirmation, as a safeguard: one of more than half of all recordings. */
export const needsConfirmation = (count: number, total: number) => count * 2 > total;

/** Requires a confirmation for a purge that {@link needsConfirmation}. @throws HubError confirm_required */
export function requireConfirmation(count: number, total: number, isConfirmed: boolean): void {
  if (isConfirmed || !needsConfirmation(count, total)) return;
  const message = `must be true, as ${count} of ${total} recordings would be removed`;
  throw new HubError('confirm_required', { details: [{ path: '/confirm', message }] });
}

/**
 * Returns the span of a request: everything up to the end of a day, or a range of days.
 * @throws HubError invalid_request
 */
export function purgeSpan(dates: Dates, zone: string): RecordingSpan {
  const problems = findProblems(dates);
  if (problems.length) throw invalidRequest(problems);
  const { date, start_date, end_date } = dates;
  const first = start_date === undefined ? Number.NEGATIVE_INFINITY : dayWindow(zone, start_date).start;
  return { from: first, before: dayWindow(zone, date ?? String(end_date)).end };
}

function findProblems({ date, start_date, end_date }: Dates): ErrorDetail[] {
  const present = Object.entries({ date, start_date, end_date }).filter(([, day]) => day !== undefined);
  const names = present.map(([name]) => name).join(' ');
  if (names === '')
    return ['/date', '/start_date', '/end_date'].map((path) => ({
      path,
      message: 'is required: either date, or start_date and end_date',
    }));
  if (date !== undefined && present.length > 1)
    return present.map(([name]) => ({
      path: `/${name}`,
      message: 'either date, or start_date and end_date',
    }));
  if (names === 'start_date') return [{ path: '/end_date', message: 'is required with start_date' }];
  if (names === 'end_date') return [{ path: '/start_date', message: 'is required with end_date' }];
  const invalid = present.filter(
    ([, day]) => !isDay(String(day)) || String(day) < firstDay || String(day) > lastDay,
  );
  if (invalid.length) return invalid.map(([name]) => ({ path: `/${name}`, message: 'must be YYYY-MM-DD' }));
  if (String(start_date) > String(end_date))
    return [{ path: '/end_date', message: 'must not be before start_date' }];
  return [];
}
