import type { Author, FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import { lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type MeasuredRecording, measureFiles } from './measure-files.js';
import { requireConfirmation } from './require-confirmation.js';
import type { PurgeAnswer } from './storage.schema.js';
import { countRecordings, type RecordingSpan, readRecordings } from './stored-recordings.store.js';

/** What files are cleared with. */
export interface ClearingDependencies {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly writer: Pick<RecordingWriter, 'purge' | 'remove'>;
  readonly files: Pick<FileRemover, 'removeAll'>;
  readonly log: Logger;
}

/** What a person asks to be cleared. */
export interface PurgeRequest {
  readonly span: RecordingSpan;
  readonly isDryRun: boolean;
  readonly includesFavorites: boolean;
  readonly deletesHistory: boolean;
  readonly isConfirmed: boolean;
}

/** What went, or would go, and by which a reader knows that it has heard of it. */
export interface PurgeOutcome extends PurgeAnswer {
  readonly bell?: string | undefined;
}

const removalsAtOnce = 4;

/** The recordings of a request, as far as they may go, a slice at once. */
async function* readVictims(
  { pool, recordingsDir }: ClearingDependencies,
  { span, includesFavorites, deletesHistory }: PurgeRequest,
): AsyncGenerator<{ victims: MeasuredRecording[]; favorites: number }> {
  for await (const page of readRecordings(pool, deletesHistory ? 'all' : 'with-file', span)) {
    const measured = await measureFiles(recordingsDir, page);
    const found = measured.filter(({ hasFile }) => hasFile || deletesHistory);
    const victims = found.filter(({ favorite }) => includesFavorites || !favorite);
    yield { victims, favorites: found.length - victims.length };
  }
}

async function survey(dependencies: ClearingDependencies, request: PurgeRequest): Promise<PurgeOutcome> {
  const sum = { message: 'dry run', deletedCount: 0, deletedSize: 0, keptFavorites: 0 };
  for await (const { victims, favorites } of readVictims(dependencies, request)) {
    sum.deletedCount += victims.length;
    for (const { sizeBytes } of victims) sum.deletedSize += sizeBytes;
    sum.keptFavorites += favorites;
  }
  return sum;
}

/** What became of a slice of recordings. */
interface SliceOutcome {
  readonly count: number;
  readonly bytes: number;
  readonly bell: string | undefined;
}

/** Somebody else deleted it meanwhile. */
function unlessGone(error: unknown): undefined {
  const isGone = error instanceof HubError && ['video_not_found', 'recording_deleted'].includes(error.code);
  if (!isGone) throw error;
}

async function removeSlice(
  { writer }: ClearingDependencies,
  victims: readonly MeasuredRecording[],
  author: Author,
  keepFavorite: boolean,
): Promise<SliceOutcome> {
  const waiting = [...victims];
  const sum = { count: 0, bytes: 0, bell: undefined as string | undefined };
  async function removeSome(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const removal = await writer.remove(next.id, author, { keepFavorite }).catch(unlessGone);
      if (!removal?.removed) continue;
      sum.count += 1;
      sum.bytes += next.sizeBytes;
      sum.bell = removal.bell;
    }
  }
  await Promise.all(Array.from({ length: removalsAtOnce }, removeSome));
  return sum;
}

async function purgeSlice(
  { writer }: ClearingDependencies,
  recordings: readonly MeasuredRecording[],
  author: Author,
  includeFavorites: boolean,
): Promise<SliceOutcome> {
  const { purged, bytes, bell } = await writer.purge({ recordings, includeFavorites }, author.requestId);
  return { count: purged.length, bytes, bell };
}

async function purgeAll(
  dependencies: ClearingDependencies,
  request: PurgeRequest,
  author: Author,
): Promise<PurgeOutcome> {
  const { files, log } = dependencies;
  const { includesFavorites, deletesHistory } = request;
  const sum = { message: 'success', deletedCount: 0, deletedSize: 0, keptFavorites: 0 };
  let lastBell: string | undefined;
  for await (const { victims, favorites } of readVictims(dependencies, request)) {
    const { count, bytes, bell } = deletesHistory
      ? await removeSlice(dependencies, victims, author, !includesFavorites)
      : await purgeSlice(dependencies, victims, author, includesFavorites);
    sum.deletedCount += count;
    sum.deletedSize += bytes;
    sum.keptFavorites += favorites;
    lastBell = bell ?? lastBell;
    log.info({ recordings: sum.deletedCount, bytes: sum.deletedSize }, 'recordings purged so far');
  }
  await files.removeAll();
  return { ...sum, bell: lastBell };
}

/**
 * Clears what a person asks for, slice by slice; a run that was cut short leaves rows and files that agree, and the
 * same request does the rest.
 * @throws HubError confirm_required, job_running
 */
export async function purgeStorage(
  dependencies: ClearingDependencies,
  request: PurgeRequest,
  author: Author,
): Promise<PurgeOutcome> {
  const found = await survey(dependencies, request);
  if (request.isDryRun) return found;
  const { pool } = dependencies;
  const total = await countRecordings(pool, request.deletesHistory ? 'all' : 'with-file');
  requireConfirmation(found.deletedCount, total, request.isConfirmed);
  const done = await withAdvisoryLock(pool, lockNames.clearing, () =>
    purgeAll(dependencies, request, author),
  );
  if (!done) throw new HubError('job_running');
  return done.result;
}
