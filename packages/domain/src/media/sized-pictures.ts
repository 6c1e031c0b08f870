import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import { literals } from '@birdhub/shared/config';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { resizePicture } from './pictures.js';

/** The widths in pixels in which pictures can be requested; only a few, because each copy is stored. */
const pictureWidths = ['160', '320', '640', '960', '1280'] as const;

/** One of {@link pictureWidths}, as in the query of a URL. */
export type PictureWidth = (typeof pictureWidths)[number];

/** The parameter of routes that send pictures. */
export const widthParameter = Type.Optional(
  literals(pictureWidths, {
    description:
      'Maximum width in pixels. With it, the picture is returned as WebP; without it, in full size as JPEG',
  }),
);

/** A stored picture and the file names of its resized copies. */
export interface OriginalPicture {
  /** Path prefix of the copies, unique for each picture. */
  readonly stem: string;
  read(signal?: AbortSignal): Promise<Buffer>;
}

/** Resized copies of stored pictures, stored next to them. */
export interface SizedPictures {
  /** Returns the copy with a width, which is created on demand. @throws HubError overloaded */
  get(original: OriginalPicture, width: PictureWidth, signal?: AbortSignal): Promise<Buffer>;
}

const limits = { max: 2, maxWaiting: 256, waitTimeoutMs: 10_000, retryAfterSeconds: 5 };

/** A copy that cannot be stored, for example on a full disk, is returned anyway. */
export function createSizedPictures({ log }: { readonly log: Pick<Logger, 'warn'> }): SizedPictures {
  const flights = createSingleFlight<Buffer>();
  const limiter = createLimiter(limits);

  async function make(path: string, read: () => Promise<Buffer>, width: PictureWidth): Promise<Buffer> {
    const picture = await read();
    const bytes = await limiter.run(() => resizePicture(picture, Number(width)));
    await store(path, bytes).catch((error: unknown) =>
      log.warn({ err: error }, 'resized copy of a picture not stored'),
    );
    return bytes;
  }

  return {
    async get({ stem, read }, width, signal) {
      const path = `${stem}.${width}.webp`;
      const stored = await readFile(path).catch(() => undefined);
      return stored ?? flights.run(path, (shared) => make(path, () => read(shared), width), signal);
    },
  };
}

async function store(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
