import { readFile } from 'node:fs/promises';
import { findKeptCrop } from '@birdhub/domain/media';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import sharp from 'sharp';
import type { SpeciesPictures } from './report.js';
import { listPictureCandidates, type PictureCandidate } from './report.store.js';

/** Finds pictures of species from a period, as small square JPEGs; species without a kept crop have none. */
export type FindPictures = (speciesIds: readonly number[], window: TimeWindow) => Promise<SpeciesPictures>;

/** Enough for 300 dots per inch. */
const sizePixels = 128;
const quality = 84;

/** Finds pictures among the crops that are kept below `DATA_DIR/derived`; none is made for a report. */
export function createFindPictures({
  pool,
  dataDir,
  log,
}: {
  readonly pool: pg.Pool;
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}): FindPictures {
  async function readPicture({ videoId, detectionId }: PictureCandidate): Promise<Buffer | undefined> {
    const file = await findKeptCrop(dataDir, videoId, detectionId);
    if (file === undefined) return undefined;
    try {
      return await toThumbnail(await readFile(file));
    } catch (error) {
      log.warn({ err: error, detectionId }, 'crop not readable');
      return undefined;
    }
  }

  return async (speciesIds, window) => {
    const pictures = new Map<number, Uint8Array>();
    for (const candidate of await listPictureCandidates(pool, speciesIds, window)) {
      if (pictures.has(candidate.speciesId)) continue;
      const picture = await readPicture(candidate);
      if (picture) pictures.set(candidate.speciesId, picture);
    }
    return pictures;
  };
}

function toThumbnail(crop: Buffer): Promise<Buffer> {
  return sharp(crop)
    .rotate()
    .resize(sizePixels, sizePixels, { fit: 'cover' })
    .flatten()
    .jpeg({ quality })
    .toBuffer();
}
