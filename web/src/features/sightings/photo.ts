/** A photo to upload: a JPEG without position, serial numbers or any other metadata. */
export interface Photo {
  readonly blob: Blob;
  /** When it was taken, by the clock of the camera. */
  readonly takenAt: TakenAt | undefined;
}

interface TakenAt {
  readonly local: string;
  /** Offset from UTC such as `+02:00`, if the camera stored it. */
  readonly offset: string | undefined;
}

const maxBytes = 3_000_000;
/** Longest edge in pixels and JPEG quality, in the order of attempts until the result is small enough. */
const attempts = [
  { edge: 2560, quality: 0.86 },
  { edge: 2560, quality: 0.7 },
  { edge: 1920, quality: 0.7 },
  { edge: 1280, quality: 0.6 },
] as const;

/** Larger files would need too much memory to decode; photos of phones are smaller. */
const maxFileBytes = 60_000_000;

/**
 * Draws a picture upright as a JPEG of at most 3 MB, which drops its metadata, and reads when it was taken.
 * @throws when the browser cannot decode the file
 */
export async function preparePhoto(file: Blob): Promise<Photo> {
  if (file.size > maxFileBytes) throw new Error('the file is too large for a photo');
  const [takenAt, picture] = await Promise.all([
    readTakenAt(file),
    createImageBitmap(file, { imageOrientation: 'from-image' }),
  ]);
  try {
    return { blob: await encode(picture), takenAt };
  } finally {
    picture.close();
  }
}

async function encode(picture: ImageBitmap): Promise<Blob> {
  let blob: Blob | null = null;
  for (const { edge, quality } of attempts) {
    blob = await draw(picture, edge, quality);
    if (blob !== null && blob.size <= maxBytes) break;
  }
  if (blob === null) throw new Error('the picture cannot be encoded');
  return blob;
}

function draw(picture: ImageBitmap, edge: number, quality: number): Promise<Blob | null> {
  const scale = Math.min(1, edge / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

/** Reads only the time of a photo; undefined without one, and if its reader does not load. */
async function readTakenAt(file: Blob): Promise<TakenAt | undefined> {
  try {
    const { parse } = await import('exifr/dist/lite.esm.mjs');
    const pick = ['DateTimeOriginal', 'OffsetTimeOriginal'];
    return takenAtOf(await parse(file, { pick, reviveValues: false, gps: false }));
  } catch {
    return undefined;
  }
}

/** Interprets the time of EXIF tags; undefined for anything but a valid time. */
export function takenAtOf(tags: unknown): TakenAt | undefined {
  if (typeof tags !== 'object' || tags === null) return undefined;
  const { DateTimeOriginal: time, OffsetTimeOriginal: offset } = tags as Record<string, unknown>;
  const [, year, month, day, clock] =
    /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(typeof time === 'string' ? time : '') ?? [];
  const local = `${year}-${month}-${day}T${clock}`;
  if (Number.isNaN(Date.parse(`${local}Z`))) return undefined;
  const isOffset = typeof offset === 'string' && /^[+-]\d\d:\d\d$/.test(offset);
  return { local, offset: isOffset ? offset : undefined };
}

/** Encodes a photo for a JSON body. */
export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  // In parts, as a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
