import type { FileHandle } from 'node:fs/promises';
import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import type { Sharp } from 'sharp';
import type { Picture } from './pictures.js';

/** Thrown for bytes that are not an accepted picture; the message follows a field name. */
export class UnusablePhotoError extends Error {
  override readonly name = 'UnusablePhotoError';
  readonly refusal: ErrorDetail;

  constructor(refusal: ErrorDetail, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** When a picture was taken, by the camera's clock. */
export interface PhotoTime {
  /** The local time in ms, as if it were UTC. */
  readonly wallMs: number;
  /** Offset of the clock from UTC in minutes; undefined when the camera did not record it. */
  readonly offsetMinutes: number | undefined;
}

/** The properties of a picture that are known before it is decoded. */
export interface PhotoFacts {
  readonly width: number;
  readonly height: number;
  readonly takenAt: PhotoTime | undefined;
}

/** More than the cameras of phones produce, but few enough to be decoded in memory. */
const maxPixels = 64_000_000;
const maxSide = 4_096;
const quality = 88;

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** Checked before decoding, as the decoder supports many other formats. */
function isPhoto(bytes: Buffer): boolean {
  return (
    startsWith(bytes, '\xff\xd8\xff') ||
    startsWith(bytes, '\x89PNG\r\n\x1a\n') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8))
  );
}

/** Loads sharp for the first picture only, so that an idle service does not need its memory. */
async function open(bytes: Buffer): Promise<Sharp> {
  if (!isPhoto(bytes)) throw new UnusablePhotoError(refuse('', 'photo_kind'));
  const { default: sharp } = await import('sharp');
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', autoOrient: true });
}

/** Rotates upright, converts to sRGB, flattens on white and limits the size. */
function normalise(image: Sharp): Sharp {
  const size = { width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true } as const;
  return image.resize(size).flatten({ background: '#ffffff' }).toColourspace('srgb');
}

async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnusablePhotoError) throw error;
    throw new UnusablePhotoError(refuse('', 'photo_damaged'), { cause: error });
  }
}

/** Reads the header of a picture. @throws UnusablePhotoError */
export function inspectPhoto(bytes: Buffer): Promise<PhotoFacts> {
  return decoding(async () => {
    const { autoOrient, exif } = await (await open(bytes)).metadata();
    const { width, height } = autoOrient;
    if (width * height > maxPixels)
      throw new UnusablePhotoError(refuse('', 'photo_pixels', { millions: maxPixels / 1_000_000 }));
    return { width, height, takenAt: exif && (await readTime(exif)) };
  });
}

/** Returns a picture as an upright JPEG in sRGB without any metadata. @throws UnusablePhotoError */
export function cleanPhoto(bytes: Buffer): Promise<Buffer> {
  return decoding(async () =>
    normalise(await open(bytes))
      .jpeg({ quality })
      .toBuffer(),
  );
}

const maxFileBytes = 67_108_864;

/** Decodes a file that is a picture. @throws UnusablePhotoError */
export function decodePhotoFile(file: FileHandle): Promise<Picture> {
  return decoding(async () => {
    const { size } = await file.stat();
    if (size > maxFileBytes)
      throw new UnusablePhotoError(
        refuse('', 'file_size', { megabytes: Math.floor(maxFileBytes / 1_000_000) }),
      );
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    const image = await open(buffer.subarray(0, bytesRead));
    const { data, info } = await normalise(image).raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  });
}

/** Returns undefined for EXIF that is damaged or has no time; the picture is used without it. */
async function readTime(exif: Buffer): Promise<PhotoTime | undefined> {
  const { default: read } = await import('exif-reader');
  try {
    const { DateTimeOriginal: time, OffsetTimeOriginal: offset } = read(exif).Photo ?? {};
    const wallMs = time instanceof Date ? time.getTime() : Number.NaN;
    return Number.isNaN(wallMs) ? undefined : { wallMs, offsetMinutes: toMinutes(offset) };
  } catch {
    return undefined;
  }
}

function toMinutes(offset: unknown): number | undefined {
  const [matched, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(String(offset)) ?? [];
  if (matched === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
