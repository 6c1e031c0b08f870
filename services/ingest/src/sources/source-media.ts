import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  isProgramMissing,
  pathInRecordings,
  restrictedInput,
  runTool,
  toolInput,
} from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { ReadFreeBytes } from '@birdhub/domain/storage';
import { withAnySignal } from '@birdhub/shared/async';
import { translateDatabaseError } from '@birdhub/shared/db';
import { errorMessage, HubError } from '@birdhub/shared/errors';
import type { Clock } from '@birdhub/shared/time';
import pg from 'pg';
import type { Logger } from 'pino';
import { hasSignatureOf, signatureBytes } from '../media-upload/media-signature.js';
import { type DraftFile, planDraft } from '../media-upload/upload-parts.js';
import {
  createTarget,
  openPublished,
  removePublished,
  type UploadTarget,
} from '../media-upload/upload-target.js';
import type { UploadedMediaStore } from '../media-upload/uploaded-media.store.js';
import type { SpaceGuard } from '../space-guard.js';
import { toEnglish } from './sentences.js';
import { type SourceEventStore, type StoredEvent, toKnownEvent } from './source-events.store.js';
import { type Upstream, UpstreamError } from './source-kind.js';
import { clipSpanOf } from './upstream-recording.js';

/** Dependencies for fetching files. */
export interface SourceMediaDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly events: Pick<SourceEventStore, 'retryMedia' | 'finishMedia'>;
  readonly uploaded: Pick<UploadedMediaStore, 'announce'>;
  readonly writer: Pick<RecordingWriter, 'saveFileStates'>;
  readonly space: Pick<SpaceGuard, 'isFull'>;
  readonly readFreeBytes: ReadFreeBytes;
  readonly maxFileBytes: number;
  readonly tools: { readonly ffmpegPath: string; readonly ffprobePath: string };
  readonly clock: Clock;
  readonly log: Logger;
}

const firstRetryMs = 20_000;
const maxRetryMs = 15 * 60_000;
/** Delays double from 20 s to 11 min. */
const maxTries = 6;
const fetchTimeoutMs = 20 * 60_000;
const toolTimeoutMs = 5 * 60_000;
const fullRetryMs = 60_000;
/** Smaller files are not playable. */
const minFileBytes = 300;

/** The content of a file; `seconds` is undefined when its container does not contain the duration. */
interface Content {
  readonly seconds: number | undefined;
}

/** Fetches the files of stored recordings. */
export class SourceMedia {
  readonly #deps: SourceMediaDeps;
  #isToolMissingKnown = false;

  constructor(deps: SourceMediaDeps) {
    this.#deps = deps;
  }

  /**
   * Fetches the file of an event and stores the outcome; schedules another attempt when it is not available yet.
   * @throws UpstreamError when upstream cannot be reached; errors of the disk and the database; the reason of the signal
   */
  async fetch(upstream: Upstream, event: StoredEvent, stopping: AbortSignal): Promise<void> {
    const { events, clock, log } = this.#deps;
    const path = pathInRecordings(event.videoPath);
    const obstacle = await this.#findObstacle(event);
    if (obstacle) return events.finishMedia(event.id, obstacle);
    const timeout = AbortSignal.timeout(fetchTimeoutMs);
    try {
      const target = await createTarget(this.#deps.recordingsDir, path);
      if (await this.#announceKnown(path, target, event)) return;
      if (await this.#isDiskLow()) {
        return await events.retryMedia(event.id, clock.now() + fullRetryMs, event.mediaTries);
      }
      await withAnySignal([stopping, timeout], (signal) =>
        this.#download(upstream, event, { path, target, signal }),
      );
    } catch (error) {
      stopping.throwIfAborted();
      if (timeout.aborted || isOfEvent(error)) {
        log.warn({ err: error, video_id: event.videoId }, 'fetching a file of a source failed');
        const reason = errorMessage(error);
        return this.#giveUpOrRetry(event, { outcome: 'later', reason });
      }
      // Delayed, so that other files are fetched first.
      await events.retryMedia(event.id, clock.now() + delayOf(event.mediaTries), event.mediaTries);
      throw error;
    }
  }

  async #download(
    upstream: Upstream,
    event: StoredEvent,
    {
      path,
      target,
      signal,
    }: { readonly path: string; readonly target: UploadTarget; readonly signal: AbortSignal },
  ): Promise<void> {
    const draft = planDraft(target);
    try {
      const fetched = await upstream.fetch(toKnownEvent(event), draft.path, signal);
      if (fetched.outcome === 'ready')
        await this.#publish(path, draft, event, { ...fetched, target, signal });
      else await this.#giveUpOrRetry(event, { ...fetched, reason: toEnglish(fetched.reason) });
    } finally {
      await draft.discard();
    }
  }

  /** Returns the final state when the file is no longer needed or exists already. */
  async #findObstacle({ videoId }: StoredEvent): Promise<'ready' | 'gone' | undefined> {
    const sql = 'SELECT media FROM video WHERE id = $1';
    const { rows } = await this.#deps.pool.query<{ media: string }>(sql, [videoId]);
    const media = rows[0]?.media;
    if (media === 'ready') return 'ready';
    return media === undefined || media === 'purged' ? 'gone' : undefined;
  }

  /** Announces a file that was published before a crash. */
  async #announceKnown(path: string, target: UploadTarget, event: StoredEvent): Promise<boolean> {
    const published = await openPublished(target);
    if (!published) return false;
    try {
      const { size } = await published.stat();
      const content = await this.#inspect(published, AbortSignal.timeout(toolTimeoutMs));
      await this.#deps.uploaded.announce(path, size, `source-event-${event.id}`);
      await this.#deps.events.finishMedia(event.id, 'ready', clipSpanOf(event, content?.seconds));
      return true;
    } finally {
      await published.close();
    }
  }

  async #isDiskLow(): Promise<boolean> {
    const { space, readFreeBytes, maxFileBytes } = this.#deps;
    if (space.isFull) return true;
    const free = await readFreeBytes();
    return free !== undefined && free < Math.min(maxFileBytes, 268_435_456);
  }

  async #giveUpOrRetry(
    event: StoredEvent,
    fetched: {
      readonly outcome: 'later' | 'never';
      readonly reason: string;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    const { events, writer, clock, log } = this.#deps;
    const isFinal = fetched.outcome === 'never' || event.mediaTries >= maxTries;
    if (!isFinal) {
      const delayMs = Math.max(fetched.retryAfterMs ?? 0, delayOf(event.mediaTries));
      return events.retryMedia(event.id, clock.now() + Math.min(delayMs, maxRetryMs));
    }
    const { reason } = fetched;
    log.info({ video_id: event.videoId, reason }, 'file of a source not available');
    if (event.videoId !== null) await writer.saveFileStates([{ videoId: event.videoId, state: 'missing' }]);
    await events.finishMedia(event.id, 'gone');
  }

  /** Checks a fetched file, makes it seekable, and publishes it. */
  async #publish(
    path: string,
    draft: DraftFile & { readonly path: string },
    event: StoredEvent,
    fetched: {
      readonly middle?: number | undefined;
      readonly keepsTimes?: boolean | undefined;
      readonly target: UploadTarget;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    const { uploaded, events } = this.#deps;
    const { signal, target, middle, keepsTimes = false } = fetched;
    const checked = await this.#check(draft.path, path, signal);
    if (typeof checked === 'string') return this.#giveUpOrRetry(event, { outcome: 'later', reason: checked });
    const remuxed =
      extname(path).toLowerCase() === '.mp4' ? await this.#remux(draft.path, fetched) : undefined;
    const chosen = remuxed?.draft ?? draft;
    try {
      const size = await syncFile(chosen.path);
      await chosen.publish();
      // The recording may have been deleted during the download.
      if ((await this.#findObstacle(event)) === 'gone') {
        await removePublished(target);
        return await events.finishMedia(event.id, 'gone');
      }
      await uploaded.announce(path, size, `source-event-${event.id}`);
    } finally {
      await remuxed?.draft.discard();
    }
    const { seconds } = remuxed?.content ?? checked;
    const span = keepsTimes ? undefined : clipSpanOf(event, seconds, middle);
    await events.finishMedia(event.id, 'ready', span);
  }

  /** Returns the content of a file, or a description of the problem. */
  async #check(file: string, path: string, signal: AbortSignal): Promise<Content | string> {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
    if (!handle) return 'nothing was fetched';
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return 'not a file';
      if (stats.size < minFileBytes) return 'the file is empty';
      if (stats.size > this.#deps.maxFileBytes) return 'the file is too large';
      const head = Buffer.alloc(signatureBytes);
      await handle.read(head, 0, signatureBytes, 0);
      if (!hasSignatureOf(path, head)) return 'the file content does not match its extension';
      return (await this.#inspect(handle, signal)) ?? 'the file cannot be played';
    } finally {
      await handle.close();
    }
  }

  /** Returns undefined when no frame can be decoded. Without `ffprobe` files are not checked. */
  async #inspect(handle: FileHandle, signal: AbortSignal): Promise<Content | undefined> {
    const entries = 'format=duration:frame=media_type';
    const args = ['-v', 'quiet', ...restrictedInput, '-show_entries', entries, '-read_intervals', '%+#2'];
    const work = { input: handle, limitMs: toolTimeoutMs, signal };
    try {
      const listing = await runTool(
        this.#deps.tools.ffprobePath,
        { ...work, args: [...args, '-of', 'csv', toolInput] },
        text,
      );
      if (!/^frame,/m.test(listing)) return undefined;
      const seconds = Number.parseFloat(/^format,(.*)$/m.exec(listing)?.[1] ?? '');
      return { seconds: seconds > 0 ? seconds : undefined };
    } catch (error) {
      if (!isProgramMissing(error)) throw error;
      if (!this.#isToolMissingKnown)
        this.#deps.log.warn({ err: error }, 'ffprobe not available, files of sources not checked');
      this.#isToolMissingKnown = true;
      return { seconds: undefined };
    }
  }

  /** Moves the index of an MP4 to its start, so that it can be played while loading; undefined on failure. */
  async #remux(
    file: string,
    { target, signal }: { readonly target: UploadTarget; readonly signal: AbortSignal },
  ): Promise<
    { readonly draft: DraftFile & { readonly path: string }; readonly content: Content } | undefined
  > {
    const draft = planDraft(target);
    const input = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const copy = ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-movflags', '+faststart', '-f', 'mp4'];
    const args = ['-v', 'quiet', '-nostdin', '-n', ...restrictedInput, '-i', toolInput, ...copy, draft.path];
    try {
      await runTool(this.#deps.tools.ffmpegPath, { input, args, limitMs: toolTimeoutMs, signal }, text);
      const content = await this.#check(draft.path, 'clip.mp4', signal);
      if (typeof content !== 'string') return { draft, content };
    } catch (error) {
      if (!isProgramMissing(error)) {
        await draft.discard();
        throw error;
      }
    } finally {
      await input.close();
    }
    await draft.discard();
    return undefined;
  }
}

const delayOf = (tries: number) => Math.min(firstRetryMs * 2 ** tries, maxRetryMs);

/** Whether an error concerns only this event, rather than upstream, the disk or the database. */
function isOfEvent(error: unknown): boolean {
  if (error instanceof UpstreamError) return error.stage === 'clip';
  if (error instanceof HubError) return error.status < 500;
  const isOfDatabase = error instanceof pg.DatabaseError || translateDatabaseError(error) !== undefined;
  const isOfDisk = error instanceof Error && 'syscall' in error;
  return !isOfDatabase && !isOfDisk;
}

async function syncFile(file: string): Promise<number> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
