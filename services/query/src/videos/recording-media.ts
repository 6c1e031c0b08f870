import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import {
  contentTypeOf,
  createSizedPictures,
  hasMediaFile,
  isForeignRecordingPath,
  type MediaFile,
  openMediaFile,
  type PictureRequests,
  type PictureWidth,
  posterFile,
  type SizedPictures,
} from '@birdhub/domain/media';
import { isUnmodified, unlessDisconnected } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { sendFile } from '../media-files/send-file.js';
import { fileVersion } from '../public-urls.js';
import { getVideoMedia, type MediaState, type VideoMedia } from './video.store.js';

const cacheControl = 'private, no-cache';
const retryAfterSeconds = 5;

interface Picture {
  readonly file: MediaFile;
  readonly type: string;
}

/** Dependencies of {@link RecordingMedia}. */
export interface RecordingMediaDeps {
  readonly readPool: pg.Pool;
  readonly recordingsDir: string;
  readonly dataDir: string;
  readonly pictures: PictureRequests;
  readonly log: Pick<Logger, 'warn'>;
}

/** How the file of a recording is sent. */
export interface SentAs {
  /** Content type; by default that of the file name. */
  readonly type?: string | undefined;
  readonly disposition?: string;
}

/** Sends the files of recordings, and their pictures, which are created when they do not exist yet. */
export class RecordingMedia {
  readonly #deps: RecordingMediaDeps;
  readonly #sizedPictures: SizedPictures;

  constructor(deps: RecordingMediaDeps) {
    this.#deps = deps;
    this.#sizedPictures = createSizedPictures(deps);
  }

  /**
   * Sends the file of a recording. A client may name any file as a recording, so files that are none by their extension
   * are not sent.
   * @throws HubError media_pending, media_missing, media_purged
   */
  async sendRecording(
    request: FastifyRequest,
    reply: FastifyReply,
    { videoPath, media }: VideoMedia,
    { type: givenType, ...rest }: SentAs = {},
  ): Promise<FastifyReply> {
    if (media === 'none') throw noFile(media);
    const type = typeOf(videoPath);
    if (type === undefined) throw new HubError('media_missing');
    const file = await openMediaFile(this.#deps.recordingsDir, videoPath);
    if (!file) throw noFile(media);
    return sendFile(request, reply, file, { type: givenType ?? type, cacheControl, ...rest });
  }

  /**
   * Sends the poster of a recording, with a width as a smaller WebP copy.
   * @throws HubError media_pending, media_missing, media_purged
   */
  async sendPoster(
    request: FastifyRequest,
    reply: FastifyReply,
    videoId: number,
    video: VideoMedia,
    width?: PictureWidth,
  ): Promise<FastifyReply> {
    const { dataDir } = this.#deps;
    const path = posterFile(dataDir, videoId);
    const poster = await this.#getPicture(videoId, video, () =>
      openPicture(dataDir, relative(dataDir, path)),
    );
    if (width === undefined)
      return sendFile(request, reply, poster.file, { type: poster.type, cacheControl });
    await poster.file.handle.close();
    const version = fileVersion(poster.file);
    reply.headers({ etag: `W/"${version}.${width}"`, 'cache-control': cacheControl });
    if (isUnmodified(request, reply)) return reply.code(304).send();
    const original = { stem: path.replace(/jpg$/, version), read: () => readFile(path) };
    return unlessDisconnected(reply, async (signal) =>
      reply.type('image/webp').send(await this.#sizedPictures.get(original, width, signal)),
    );
  }

  /**
   * Sends the spectrogram of a recording.
   * @throws HubError video_not_found, media_pending, media_missing, media_purged
   */
  async sendSpectrogram(
    request: FastifyRequest,
    reply: FastifyReply,
    videoId: number,
    video: VideoMedia,
  ): Promise<FastifyReply> {
    const { readPool, recordingsDir } = this.#deps;
    let isFirst = true;
    const { file, type } = await this.#getPicture(videoId, video, async () => {
      const { spectrogramPath } = isFirst ? video : await getVideoMedia(readPool, videoId);
      isFirst = false;
      return openPicture(recordingsDir, spectrogramPath);
    });
    return sendFile(request, reply, file, { type, cacheControl });
  }

  /** Returns a stored picture, or creates it. @throws HubError media_pending, media_missing, media_purged */
  async #getPicture(
    videoId: number,
    video: VideoMedia,
    open: () => Promise<Picture | undefined>,
  ): Promise<Picture> {
    const found = await open();
    if (found) return found;
    const { recordingsDir, pictures } = this.#deps;
    const canBeMade =
      video.media !== 'purged' &&
      video.media !== 'none' &&
      (await hasMediaFile(recordingsDir, video.videoPath));
    if (!canBeMade) throw noFile(video.media);
    const outcome = await pictures.request(videoId);
    const made = await open();
    if (made) return made;
    if (outcome === 'made' || outcome === 'unmade')
      throw new HubError('media_missing', {
        message: 'This picture cannot be created from the file.',
        extra: { reason: 'damaged' },
      });
    throw new HubError('media_pending', {
      message: 'The pictures of this recording are being made.',
      retryAfterSeconds,
      extra: { video_id: videoId },
    });
  }
}

function typeOf(path: string): string | undefined {
  return contentTypeOf(path) ?? (isForeignRecordingPath(path) ? 'application/octet-stream' : undefined);
}

async function openPicture(root: string, path: string | null): Promise<Picture | undefined> {
  const type = path === null ? undefined : contentTypeOf(path);
  if (path === null || !type?.startsWith('image/')) return undefined;
  const file = await openMediaFile(root, path);
  return file && { file, type };
}

const noMedium = 'This sighting has no medium: it was posted without a recording and without a picture.';

/** Returns the error of a recording without a file. */
function noFile(media: MediaState): HubError {
  if (media === 'pending') return new HubError('media_pending', { retryAfterSeconds });
  if (media === 'none')
    return new HubError('media_missing', { message: noMedium, extra: { reason: 'none' } });
  return new HubError(media === 'purged' ? 'media_purged' : 'media_missing');
}
