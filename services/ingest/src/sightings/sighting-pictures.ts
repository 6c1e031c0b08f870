import { opendir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anyCameraSql,
  canonicalVideoPath,
  cleanPhoto,
  inspectPhoto,
  type PhotoTime,
  UnusablePhotoError,
} from '@birdhub/domain/media';
import type { ReadFreeBytes } from '@birdhub/domain/storage';
import {
  BoundedMap,
  createLimiter,
  createLoop,
  type Limiter,
  type Loop,
  type Release,
} from '@birdhub/shared/async';
import { errorCode, invalidField, isDiskFull, refused, undefinedIfMissing } from '@birdhub/shared/errors';
import { DownloadError, download, type ServiceGuard } from '@birdhub/shared/outgoing';
import { type Clock, dayMs, hourMs, minuteMs } from '@birdhub/shared/time';
import { invalidRequest } from '@birdhub/shared/validation';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type DraftFile, writeDraft } from '../media-upload/upload-parts.js';
import { createTarget } from '../media-upload/upload-target.js';
import { insufficientStorage } from '../space-guard.js';
import { maxPictureBytes, type SightingBody } from './sightings.schema.js';

/** Dependencies of {@link SightingPictures}. */
export interface SightingPicturesDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly readFreeBytes: ReadFreeBytes;
  /** Restricts the addresses of `image_url`. */
  readonly guard: Pick<ServiceGuard, 'admit'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Maximum time of the download of a picture. */
  readonly downloadTimeoutMs?: number;
}

/** The picture of a sighting; the caller must discard it. */
export interface ReceivedPicture {
  readonly takenAt: PhotoTime | undefined;
  /**
   * Writes it upright and without metadata as a draft in the recordings tree.
   * @throws HubError invalid_request, insufficient_storage, busy
   */
  write(path: string): Promise<Pick<DraftFile, 'publish'>>;
  /** Removes an unpublished draft. */
  discard(): Promise<void>;
}

const sweepIntervalMs = dayMs;
/** A picture is published at most this long before its sighting is committed. */
const minOrphanAgeMs = hourMs;
const maxAttempts = 3;
/** How long nothing is downloaded from a host that exceeded the time limit. */
const slowHostMs = minuteMs;
/** Hosts that are remembered. */
const maxHosts = 256;
const waitLimits = { maxWaiting: 64, waitTimeoutMs: 20_000, retryAfterSeconds: 5 };

/** Receives posted pictures of sightings, or downloads them, and stores them in the recordings tree. */
export class SightingPictures {
  readonly #deps: SightingPicturesDeps;
  /** Limits downloads and downloaded pictures in memory. */
  readonly #fetched = createLimiter({ max: 6, ...waitLimits });
  /** The same for each host, so that a slow one does not delay others. */
  readonly #fetchedByHost = new BoundedMap<string, Limiter>(maxHosts);
  /** Until when nothing is downloaded from slow hosts, in ms since the epoch. */
  readonly #slowUntil = new BoundedMap<string, number>(maxHosts);
  /** Decoding a large picture takes 200 MB. */
  readonly #decoding = createLimiter({ max: 1, ...waitLimits });
  readonly #sweep: Loop;

  constructor(deps: SightingPicturesDeps) {
    this.#deps = deps;
    this.#sweep = createLoop({
      everyMs: sweepIntervalMs,
      retryMs: 600_000,
      work: async (signal) => {
        const removed = await removeOrphans(deps, signal);
        if (removed) deps.log.info({ removed }, 'orphaned pictures of sightings removed');
      },
      onError: (error) => deps.log.warn({ err: error }, 'removal of orphaned pictures failed'),
    });
  }

  /** Starts the removal of orphaned pictures: now, and once a day. */
  start(): void {
    this.#sweep.start();
  }

  stop(): Promise<void> {
    return this.#sweep.stop();
  }

  /**
   * Returns the picture of a sighting, if any; downloads it when given as an address.
   * @throws HubError invalid_request, busy; the reason of the signal
   */
  async receive(
    body: Pick<SightingBody, 'image_base64' | 'image_url'>,
    signal?: AbortSignal,
  ): Promise<ReceivedPicture> {
    const field = body.image_base64 == null ? '/image_url' : '/image_base64';
    const releases: Release[] = [];
    const release = () => {
      for (const one of releases) one();
    };
    try {
      const bytes =
        body.image_base64 == null
          ? await this.#download(new URL(body.image_url ?? ''), releases, signal)
          : decodeBase64(body.image_base64);
      const { takenAt } = await inspectPhoto(bytes);
      return this.#toReceived({ bytes, takenAt, field, signal, release });
    } catch (error) {
      release();
      if (error instanceof DownloadError)
        this.#deps.log.info({ reason: error.reason }, 'picture of a sighting not fetched');
      throw toHubError(error, field);
    }
  }

  /** Downloads a picture when there are places for it, which are added to `releases`. */
  async #download(url: URL, releases: Release[], signal: AbortSignal | undefined): Promise<Buffer> {
    const { guard, clock, downloadTimeoutMs: timeoutMs = 15_000 } = this.#deps;
    const { hostname } = url;
    const ofHost = this.#fetchedByHost.getOrAdd(hostname, () => createLimiter({ max: 2, ...waitLimits }));
    this.#requireNotSlow(hostname);
    releases.push(await ofHost.acquire({ signal }));
    this.#requireNotSlow(hostname);
    releases.push(await this.#fetched.acquire({ signal }));
    const accept = 'image/jpeg, image/webp, image/png';
    try {
      return await download(url, { guard, maxBytes: maxPictureBytes, timeoutMs, signal, accept });
    } catch (error) {
      if (error instanceof DownloadError && error.isLate)
        this.#slowUntil.set(hostname, clock.now() + slowHostMs);
      throw error;
    }
  }

  /** @throws DownloadError for a host that exceeded the time limit within the last minute */
  #requireNotSlow(hostname: string): void {
    if ((this.#slowUntil.get(hostname) ?? 0) > this.#deps.clock.now())
      throw new DownloadError('cannot be fetched', {
        reason: 'the host was too slow within the last minute',
      });
  }

  #toReceived({ bytes, takenAt, field, signal, release }: Received): ReceivedPicture {
    let draft: DraftFile | undefined;
    return {
      takenAt,
      write: async (path) => {
        try {
          const clean = await this.#decoding.run(() => cleanPhoto(bytes), { signal });
          draft = await this.#write(path, clean);
          return draft;
        } catch (error) {
          throw toHubError(error, field);
        }
      },
      async discard() {
        release();
        await draft?.discard();
      },
    };
  }

  async #write(path: string, bytes: Buffer): Promise<DraftFile> {
    const { recordingsDir, readFreeBytes } = this.#deps;
    const free = await readFreeBytes();
    if (free !== undefined && free < bytes.length) throw insufficientStorage();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeDraft(await createTarget(recordingsDir, path), bytes);
      } catch (error) {
        // The folder was removed in the meantime with its last file.
        if (errorCode(error) !== 'ENOENT' || attempt === maxAttempts) throw error;
      }
    }
  }
}

interface Received extends Pick<ReceivedPicture, 'takenAt'> {
  readonly bytes: Buffer;
  /** JSON Pointer of its field. */
  readonly field: string;
  readonly signal: AbortSignal | undefined;
  readonly release: Release;
}

function toHubError(error: unknown, field: string): unknown {
  if (error instanceof UnusablePhotoError) return invalidRequest([{ ...error.refusal, path: field }]);
  if (error instanceof DownloadError) return invalidField(field, error.message);
  return isDiskFull(error) ? insufficientStorage(error) : error;
}

const dataUrl = /^data:[^,]{0,200};base64,/i;
const base64 = /^[\w+/-]+={0,2}$/;

/** @throws HubError invalid_request */
function decodeBase64(text: string): Buffer {
  const encoded = text.replace(dataUrl, '').replace(/\s+/g, '');
  if (!base64.test(encoded)) throw invalidField('/image_base64', 'must be base64');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > maxPictureBytes)
    throw refused('/image_base64', 'file_size', { megabytes: maxPictureBytes / 1024 ** 2 });
  return bytes;
}

const folderName = /^[0-9a-f]{2}$/;
const pictureName = /^[0-9a-f]{32}\.jpg$/;

const wantedSql = `
  WITH ${anyCameraSql}
  SELECT EXISTS (SELECT FROM any_camera JOIN video USING (camera_id) WHERE video_path = $1 AND media <> 'none') AS wanted`;

/** Removes the pictures of sightings that were not committed. Returns their number. */
async function removeOrphans(
  { pool, recordingsDir, clock }: SightingPicturesDeps,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  const root = join(recordingsDir, 'sightings');
  for await (const folder of listNames(root, folderName, signal)) {
    for await (const name of listNames(join(root, folder), pictureName, signal)) {
      const file = join(root, folder, name);
      const found = await stat(file).catch(() => undefined);
      if (!found || clock.now() - found.mtimeMs < minOrphanAgeMs) continue;
      const path = canonicalVideoPath(`sightings/${folder}/${name}`);
      const { rows } = await pool.query<{ wanted: boolean }>(wantedSql, [path]);
      if (rows[0]?.wanted !== false) continue;
      await unlink(file);
      removed += 1;
    }
  }
  return removed;
}

/** Yields the names in a folder that match a pattern; none for a missing folder. */
async function* listNames(folder: string, pattern: RegExp, signal: AbortSignal): AsyncGenerator<string> {
  const entries = await undefinedIfMissing(opendir(folder));
  if (!entries) return;
  for await (const { name } of entries) {
    if (signal.aborted) return;
    if (pattern.test(name)) yield name;
  }
}
