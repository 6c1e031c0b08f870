import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import {
  contentTypeOf,
  findStoredCrop,
  openMediaFile,
  posterFile,
  statMediaFile,
} from '@birdhub/domain/media';
import { undefinedIfMissing } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Attachment, ChannelMedia, Message } from './channel.js';

/** Dependencies for reading the pictures and clips of messages. */
export interface MessageMediaDeps {
  readonly pool: pg.Pool;
  readonly dataDir: string;
  readonly recordingsDir: string;
}

/** The picture and the clip of a message. */
export interface MessageMedia {
  readonly picture: Attachment | undefined;
  readonly clip: Attachment | undefined;
  /** Whether a picture is expected soon. */
  readonly isPending: boolean;
}

/** The properties of a message that identify its picture. */
export type ShownMessage = Pick<Message, 'visitId' | 'noticeId' | 'detectionId' | 'videoId'>;

const noMedia: MessageMedia = { picture: undefined, clip: undefined, isPending: false };

interface ShownRecording {
  readonly detection_id: number | null;
  readonly video_id: number;
  readonly video_path: string;
  /** Whether its file has yet to be fetched from a source. */
  readonly is_awaited: boolean;
}

/**
 * SQL: the detection of the message, else the best video detection of the visit, or the best audio detection of an
 * audio-only visit.
 */
const shownSql = `
  SELECT detection.id AS detection_id, video.id AS video_id, video_path,
    EXISTS (SELECT FROM source_event event WHERE event.video_id = video.id AND event.media = 'waiting') AS is_awaited
  FROM video LEFT JOIN detection ON detection.video_id = video.id
    AND (detection.id = $1 OR $1::bigint IS NULL AND visit_id = $2)
  WHERE video.media IN ('pending', 'ready') AND (detection.id IS NOT NULL OR video.id = $3)
  ORDER BY detection.id IS NULL, source = 'video' DESC, confidence DESC, detection.id LIMIT 1`;

/** Loads the picture and clip of a message, as far as the channel supports them. */
export async function loadMessageMedia(
  deps: MessageMediaDeps,
  message: ShownMessage,
  { maxPictureBytes = 0, maxClipBytes = 0 }: ChannelMedia,
): Promise<MessageMedia> {
  if (!maxPictureBytes && !maxClipBytes) return noMedia;
  if (message.noticeId !== null) {
    const picture = await loadNoticePicture(deps.pool, message.noticeId, maxPictureBytes);
    return { ...noMedia, picture };
  }
  const shown = await findShownRecording(deps.pool, message);
  if (!shown) return noMedia;
  const hasFile = (await statMediaFile(deps.recordingsDir, shown.video_path)) !== undefined;
  const picture = await loadPicture(deps.dataDir, shown, maxPictureBytes);
  const clip = maxClipBytes ? await loadClip(deps.recordingsDir, shown.video_path, maxClipBytes) : undefined;
  return { picture, clip, isPending: !picture && (hasFile || shown.is_awaited) };
}

async function findShownRecording(pool: pg.Pool, message: ShownMessage): Promise<ShownRecording | undefined> {
  const { visitId, detectionId = null, videoId = null } = message;
  if (visitId === null && detectionId === null && videoId === null) return undefined;
  const query = { name: 'message-media', text: shownSql, values: [detectionId, visitId, videoId] };
  return (await pool.query<ShownRecording>(query)).rows[0];
}

async function loadNoticePicture(
  pool: pg.Pool,
  noticeId: string,
  maxBytes: number,
): Promise<Attachment | undefined> {
  const { rows } = await pool.query<{ image: Buffer | null }>(
    'SELECT image FROM detection_notice WHERE id = $1',
    [noticeId],
  );
  const image = rows[0]?.image;
  if (!image || image.length > maxBytes) return undefined;
  const type = typeOf(image);
  return { name: `bird.${type === 'image/jpeg' ? 'jpg' : type.slice(6)}`, type, content: image };
}

/** Pictures of notices were validated as JPEG, PNG or WebP. */
function typeOf(image: Buffer): string {
  if (image[0] === 0x89) return 'image/png';
  return image[0] === 0x52 ? 'image/webp' : 'image/jpeg';
}

/** Loads the stored picture of the bird, else the poster of its recording. */
async function loadPicture(
  dataDir: string,
  { video_id: videoId, detection_id: detectionId }: ShownRecording,
  maxBytes: number,
): Promise<Attachment | undefined> {
  if (!maxBytes) return undefined;
  const crop = detectionId === null ? undefined : await findStoredCrop(dataDir, videoId, detectionId);
  for (const file of [crop, posterFile(dataDir, videoId)]) {
    const content = file === undefined ? undefined : await readUpTo(file, maxBytes);
    if (content) return { name: 'bird.jpg', type: 'image/jpeg', content };
  }
  return undefined;
}

async function readUpTo(file: string, maxBytes: number): Promise<Buffer | undefined> {
  const size = (await undefinedIfMissing(stat(file)))?.size;
  return size === undefined || size > maxBytes ? undefined : undefinedIfMissing(readFile(file));
}

async function loadClip(
  recordingsDir: string,
  videoPath: string,
  maxBytes: number,
): Promise<Attachment | undefined> {
  const type = contentTypeOf(videoPath);
  const file = type === undefined ? undefined : await openMediaFile(recordingsDir, videoPath);
  if (!file || type === undefined) return undefined;
  try {
    if (file.size > maxBytes) return undefined;
    const name = `bird${extname(basename(videoPath)).toLowerCase()}`;
    return { name, type, content: await file.handle.readFile() };
  } finally {
    await file.handle.close();
  }
}
