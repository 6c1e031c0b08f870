import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { basename, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { canonicalVideoPath, checkPostedPath, contentTypeOf, pathInRecordings } from '@birdhub/domain/media';
import {
  maxWaitingBytes,
  type ReadFreeBytes,
  readWaitingUploads,
  type UploadedFile,
} from '@birdhub/domain/storage';
import { createLimiter, type Limiter, withAnySignal } from '@birdhub/shared/async';
import { errorCode, HubError, invalidField, isDiskFull } from '@birdhub/shared/errors';
import { insufficientStorage, type SpaceGuard } from '../space-guard.js';
import { hasSignatureOf, signatureBytes } from './media-signature.js';
import { isInterruption, UploadBody } from './upload-body.js';
import { UploadCleanUp, type UploadCleanUpDeps } from './upload-clean-up.js';
import { BodyDigests, hashFile, requireDigests } from './upload-digests.js';
import type { BodyRange, UploadHeaders } from './upload-headers.js';
import {
  findPart,
  type OpenPart,
  openResumablePart,
  openWholePart,
  publishPart,
  releasePart,
  removePart,
  type StoredPart,
  statPart,
} from './upload-parts.js';
import { type Reservation, UploadSpace } from './upload-space.js';
import {
  createTarget,
  findTarget,
  isDirectTarget,
  isStillPublished,
  openPublished,
  removeCreatedFolders,
  removePublished,
  type UploadTarget,
} from './upload-target.js';
import type { UploadedMediaStore } from './uploaded-media.store.js';

/** Dependencies of {@link MediaUploads}. */
export interface MediaUploadsDeps extends UploadCleanUpDeps {
  readonly store: UploadedMediaStore;
  readonly space: Pick<SpaceGuard, 'isFull' | 'isLow'>;
  readonly readFreeBytes: ReadFreeBytes;
  readonly maxUploadBytes: number;
  /** Maximum concurrent uploads; further ones wait. */
  readonly maxConcurrency?: number;
  /** Maximum time without data of a body. */
  readonly idleTimeoutMs?: number;
  /** How many bytes are written between checks of the disk. Default 64 MB. */
  readonly spaceStepBytes?: number;
}

/** An upload, or a part of one. */
export interface Upload extends UploadHeaders {
  /** The path as sent by the client, percent-decoded. */
  readonly path: string;
  readonly body: Readable;
  readonly requestId: string;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The result of an upload: `known` when the same file existed, `partial` when bytes are still missing. */
export interface UploadResult {
  readonly outcome: 'created' | 'known' | 'partial';
  /** The canonical path. */
  readonly path: string;
  readonly received: number;
  readonly total: number;
}

/** The progress of an upload. */
export interface UploadState {
  readonly received: number;
  readonly total: number;
}

/** Receives the files of recordings over HTTP. Bodies are streamed to disk. */
export class MediaUploads {
  readonly #deps: MediaUploadsDeps;
  readonly #limiter: Limiter;
  readonly #space: UploadSpace;
  readonly #cleanUp: UploadCleanUp;
  /** Paths that are being written to. */
  readonly #busy = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(deps: MediaUploadsDeps) {
    this.#deps = deps;
    this.#limiter = createLimiter({
      max: deps.maxConcurrency ?? 128,
      maxWaiting: 256,
      waitTimeoutMs: 10_000,
      retryAfterSeconds: 5,
    });
    this.#space = new UploadSpace(deps.spaceStepBytes ?? 64 * 1024 * 1024);
    this.#cleanUp = new UploadCleanUp(deps);
  }

  /** Starts the removal of abandoned uploads. */
  start(): void {
    this.#cleanUp.start();
  }

  /** Aborts running uploads, and resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new HubError('starting', { retryAfterSeconds: 2 }));
    await this.#cleanUp.stop();
  }

  /** Returns the progress of the upload of a path; undefined when there is none. @throws HubError invalid_request */
  async findState(givenPath: string): Promise<UploadState | undefined> {
    const path = checkPath(givenPath);
    const target = await findTarget(this.#deps.recordingsDir, path);
    if (!target) return undefined;
    const published = await openPublished(target);
    if (!published) return findPart(target, this.#deps.clock.now());
    try {
      const { size } = await published.stat();
      return { received: size, total: size };
    } finally {
      await published.close();
    }
  }

  /**
   * Stores the body of an upload.
   * @throws HubError invalid_request, media_type_unsupported, payload_too_large, insufficient_storage,
   * upload_in_progress, upload_offset_mismatch, digest_mismatch, media_exists, media_purged, recording_deleted, busy
   */
  async receive(upload: Upload): Promise<UploadResult> {
    const path = checkPath(upload.path);
    this.#checkSize(upload);
    if (this.#busy.has(path)) throw new HubError('upload_in_progress');
    this.#busy.add(path);
    try {
      return await this.#limiter.run(() => this.#receiveExclusive(path, upload), { signal: upload.signal });
    } catch (error) {
      throw toUploadError(error);
    } finally {
      this.#busy.delete(path);
    }
  }

  #checkSize({ contentLength, range }: Upload): void {
    const { maxUploadBytes } = this.#deps;
    if ((range?.total ?? contentLength ?? 0) > maxUploadBytes) throw new HubError('payload_too_large');
    if (range === undefined && contentLength === 0) throw invalidField('body', 'must not be empty');
  }

  #reserveSpace(path: string, { contentLength, range }: Upload): Promise<Reservation> {
    const needed = range ? range.total - range.first : contentLength;
    return this.#space.reserve({
      needed,
      readSpace: async (bytes) => {
        if (this.#deps.space.isFull || (await this.#isAboveShare(path, bytes))) throw insufficientStorage();
        return this.#deps.readFreeBytes();
      },
    });
  }

  /** Whether uploads without a recording take too much of a disk on which space is low. */
  async #isAboveShare(path: string, needed: number): Promise<boolean> {
    const { pool, clock, space, store } = this.#deps;
    if (!space.isLow || (await store.isAwaited(path))) return false;
    return (await readWaitingUploads(pool, clock.now())).bytes + needed > maxWaitingBytes;
  }

  async #receiveExclusive(path: string, upload: Upload): Promise<UploadResult> {
    const obstacle = await this.#deps.store.findObstacle(path);
    if (obstacle) throw new HubError(obstacle);
    return withAnySignal([upload.signal, this.#stopping.signal], (signal) =>
      this.#receiveBody(path, upload, signal),
    );
  }

  async #receiveBody(path: string, upload: Upload, signal: AbortSignal): Promise<UploadResult> {
    const { recordingsDir } = this.#deps;
    const { maxUploadBytes, idleTimeoutMs } = this.#deps;
    const body = new UploadBody(upload.body, { signal, maxBytes: maxUploadBytes, idleTimeoutMs });
    let space: Reservation | undefined;
    try {
      const known = await findTarget(recordingsDir, path);
      const published = known && (await openPublished(known));
      if (published) return await this.#compare(path, known, published, { upload, body });
      const part = isProgressQuery(upload)
        ? known && (await findPart(known, this.#deps.clock.now()))
        : undefined;
      if (isProgressQuery(upload) && (part?.received ?? 0) < upload.range.total)
        return toPartial(path, upload.range, part);
      space = await this.#reserveSpace(path, upload);
      if ((upload.range?.first ?? 0) === 0) requireSignature(path, await body.peek(signatureBytes), upload);
      const target = await createTarget(recordingsDir, path);
      try {
        const result = await this.#store(path, target, { upload, body, space });
        if (!upload.range) await this.#recordPart(path, target, undefined);
        return result;
      } catch (error) {
        await removeCreatedFolders(target);
        throw error;
      } finally {
        if (upload.range) await this.#recordPart(path, target, upload.range.total);
      }
    } finally {
      space?.release();
      body.close();
    }
  }

  async #store(path: string, target: UploadTarget, receiving: Storing): Promise<UploadResult> {
    const { upload } = receiving;
    const now = this.#deps.clock.now();
    const { range } = upload;
    const part = range ? await openResumablePart(target, range, now) : await openWholePart(target, now);
    const received = range ? await writeRange(part, range, receiving) : await writeWhole(part, receiving);
    const total = range?.total ?? received;
    if (received < total) {
      await releasePart(part);
      return { outcome: 'partial', path: canonicalVideoPath(path), received, total };
    }
    return this.#publish(path, part, { upload, total });
  }

  /** Verifies a complete part and renames it. */
  async #publish(
    path: string,
    part: OpenPart,
    { upload, total }: { readonly upload: Upload; readonly total: number },
  ): Promise<UploadResult> {
    let isPublished = false;
    let modifiedMs: number;
    try {
      const head = Buffer.alloc(signatureBytes);
      const { bytesRead } = await part.handle.read(head, 0, signatureBytes, 0);
      requireSignature(path, head.subarray(0, bytesRead), { ...upload, range: undefined });
      await requireDigests(part.handle, upload.fileDigests);
      // Some network file systems set the time when the file is flushed.
      await part.handle.sync();
      modifiedMs = (await part.handle.stat()).mtimeMs;
      isPublished = await publishPart(part);
      if (!isPublished) await this.#requireSameFile(part);
    } finally {
      if (!isPublished) await removePart(part);
    }
    // The recording may have been deleted during the upload, when there was no file to remove yet.
    const obstacle = isPublished ? await this.#deps.store.findObstacle(path) : undefined;
    if (obstacle) {
      await removePublished(part.target);
      throw new HubError(obstacle);
    }
    if (isPublished) await this.#record(part.target, { path, bytes: total, modifiedMs });
    await this.#deps.store.announce(path, total, upload.requestId);
    return {
      outcome: isPublished ? 'created' : 'known',
      path: canonicalVideoPath(path),
      received: total,
      total,
    };
  }

  /** Records a published file; without its record it is removed, as nothing else would remove it. */
  async #record(target: UploadTarget, file: UploadedFile): Promise<void> {
    // Below a link the file has other names, by which a recording may know it.
    if (!(await isDirectTarget(this.#deps.recordingsDir, target, file.path))) return;
    await this.#deps.store.record(file).catch(async (error: unknown) => {
      await removePublished(target);
      throw error;
    });
  }

  /**
   * Records the part of an unfinished upload, which also takes space until it is resumed. Forgets all other parts of the
   * file, which the upload has replaced.
   */
  async #recordPart(path: string, target: UploadTarget, total: number | undefined): Promise<void> {
    const { recordingsDir, store, log } = this.#deps;
    try {
      if (!(await isDirectTarget(recordingsDir, target, path))) return;
      const { name, prefix, stats } = await statPart(target, total);
      const pathOf = (part: string) => posix.join(posix.dirname(path), part);
      await store.forgetParts(pathOf(prefix));
      if (stats) await store.record({ path: pathOf(name), bytes: stats.size, modifiedMs: stats.mtimeMs });
    } catch (error) {
      log.warn({ err: error, path }, 'unfinished upload not recorded');
    }
  }

  /** Compares a part with a file of the same name that was created in the meantime. */
  async #requireSameFile({ handle, target }: OpenPart): Promise<void> {
    const published = await openPublished(target);
    if (!published) throw new HubError('conflict');
    try {
      const [own, other] = [await hashFile(handle), await hashFile(published)];
      if (!own.equals(other)) throw new HubError('media_exists');
    } finally {
      await published.close();
    }
  }

  /** Compares a body with an existing file, without storing it. */
  async #compare(
    path: string,
    target: UploadTarget,
    published: FileHandle,
    { upload, body }: Receiving,
  ): Promise<UploadResult> {
    try {
      // First of all, so that the file is not removed while it is compared.
      await this.#deps.store.renew(path);
      const { size } = await published.stat();
      const { range, contentLength } = upload;
      if ((range?.total ?? contentLength ?? size) !== size) throw new HubError('media_exists');
      const hash = createHash('sha256');
      const digests = new BodyDigests(upload.bodyDigests);
      let received = 0;
      for await (const chunk of body.chunks()) {
        hash.update(chunk);
        digests.update(chunk);
        received += chunk.length;
      }
      digests.require();
      const { first, end } = range ?? { first: 0, end: size };
      if (received !== end - first) throw range ? wrongLength(range, received) : new HubError('media_exists');
      if (!hash.digest().equals(await hashFile(published, first, end))) throw new HubError('media_exists');
      await requireDigests(published, upload.fileDigests);
      if (!(await isStillPublished(target, published))) throw new HubError('busy', { retryAfterSeconds: 1 });
      await this.#deps.store.announce(path, size, upload.requestId);
      return { outcome: 'known', path: canonicalVideoPath(path), received: size, total: size };
    } finally {
      await published.close();
    }
  }
}

/** Whether a request queries the progress. If all bytes are stored already, it completes the file. */
function isProgressQuery(upload: Upload): upload is Upload & { readonly range: BodyRange } {
  return upload.range !== undefined && upload.range.first === upload.range.end;
}

function toPartial(path: string, { total }: BodyRange, part: StoredPart | undefined): UploadResult {
  if (part?.isInUse) throw new HubError('upload_in_progress');
  const received = part?.total === total ? part.received : 0;
  return { outcome: 'partial', path: canonicalVideoPath(path), received, total };
}

interface Receiving {
  readonly upload: Upload;
  readonly body: UploadBody;
}

interface Storing extends Receiving {
  readonly space: Reservation;
}

const maxNameBytes = 255;

/** Returns the path inside the tree. @throws HubError invalid_request, media_type_unsupported */
function checkPath(given: string): string {
  const path = pathInRecordings(given);
  const problem = checkPostedPath(given) ?? checkNames(path.split('/'));
  if (problem !== undefined) throw invalidField('path', problem);
  if (contentTypeOf(path) === undefined) throw new HubError('media_type_unsupported');
  return path;
}

function checkNames(names: readonly string[]): string | undefined {
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes))
    return `must not have parts of more than ${maxNameBytes} bytes`;
  return names.join('').isWellFormed() ? undefined : 'must be well-formed Unicode';
}

/** Checks the signature. A range may be too short for it, so a completed file is checked again. */
function requireSignature(path: string, head: Buffer, { range }: Pick<Upload, 'range'>): void {
  if (range && range.end < Math.min(signatureBytes, range.total)) return;
  if (hasSignatureOf(path, head)) return;
  throw new HubError('media_type_unsupported', {
    message: `The content is not that of a file named ${basename(path)}.`,
  });
}

/** Writes a whole file, which is removed on failure. */
async function writeWhole(part: OpenPart, { upload, body, space }: Storing): Promise<number> {
  try {
    const digests = new BodyDigests(upload.bodyDigests);
    let received = 0;
    for await (const chunk of body.chunks()) {
      digests.update(chunk);
      await space.take(chunk.length);
      await writeAt(part.handle, chunk, received);
      received += chunk.length;
    }
    if (received === 0) throw invalidField('body', 'must not be empty');
    digests.require();
    return received;
  } catch (error) {
    await removePart(part);
    throw error;
  }
}

/** Appends a range. Received bytes are kept when the connection breaks, and dropped when the range is rejected. */
async function writeRange(
  part: OpenPart,
  range: BodyRange,
  { upload, body, space }: Storing,
): Promise<number> {
  const { handle } = part;
  let received = range.first;
  try {
    const digests = new BodyDigests(upload.bodyDigests);
    for await (const chunk of body.chunks()) {
      if (received + chunk.length > range.end)
        throw wrongLength(range, received + chunk.length - range.first);
      digests.update(chunk);
      await space.take(chunk.length);
      await writeAt(handle, chunk, received);
      received += chunk.length;
    }
    if (received !== range.end) throw wrongLength(range, received - range.first);
    digests.require();
    await handle.datasync();
    return received;
  } catch (error) {
    if (!isInterruption(error)) await handle.truncate(range.first);
    await releasePart(part);
    throw error;
  }
}

/** For chunked bodies; `readUploadHeaders` checks the others. */
const wrongLength = (range: BodyRange, received: number) =>
  invalidField(
    'content-range',
    `spans ${range.end - range.first} bytes, but the body has ${received} or more`,
  );

async function writeAt(handle: FileHandle, chunk: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const rest = chunk.length - written;
    written += (await handle.write(chunk, written, rest, position + written)).bytesWritten;
  }
}

function toUploadError(error: unknown): unknown {
  if (isInterruption(error))
    return error.cause instanceof HubError ? error.cause : new HubError('request_timeout', { cause: error });
  if (isDiskFull(error)) return insufficientStorage(error);
  if (errorCode(error) === 'ENAMETOOLONG') return invalidField('path', 'is too long for the disk');
  return error;
}
