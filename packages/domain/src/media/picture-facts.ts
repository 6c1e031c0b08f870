import type pg from 'pg';
import { rgbaToThumbHash } from 'thumbhash';
import { type BestView, visibleArea } from './boxes.js';

/** The measured properties of a picture. */
export interface PictureFacts {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Density of edges, 0 (a plain colour) to 1. */
  readonly sharpness: number;
  /** A blurred copy in about 25 bytes (https://evanw.github.io/thumbhash/), in base64. */
  readonly thumbhash: string;
}

/** Thumbhash accepts pictures of at most 100 pixels per side. */
const thumbSide = 100;
const measuredSide = 192;
/** The variance of the Laplacian that maps to a sharpness of 0.5. */
const middleVariance = 350;

/** Measures a picture in any format that sharp can read. */
export async function measurePicture(bytes: Buffer): Promise<PictureFacts> {
  const { default: sharp } = await import('sharp');
  const inside = (side: number) =>
    sharp(bytes).resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
  const [{ width, height }, thumb, grey] = await Promise.all([
    sharp(bytes).metadata(),
    inside(thumbSide).ensureAlpha().raw().toBuffer({ resolveWithObject: true }),
    inside(measuredSide).greyscale().raw().toBuffer({ resolveWithObject: true }),
  ]);
  const hash = rgbaToThumbHash(thumb.info.width, thumb.info.height, thumb.data);
  const variance = laplacianVariance(grey.data, grey.info);
  return {
    width,
    height,
    sharpness: variance / (variance + middleVariance),
    thumbhash: Buffer.from(hash).toString('base64'),
  };
}

/** Returns the variance of the Laplacian of a greyscale picture, which is low for blurred ones. */
export function laplacianVariance(
  grey: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  let sum = 0;
  let squares = 0;
  const at = (index: number) => grey[index] ?? 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const i = y * width + x;
      const value = at(i - 1) + at(i + 1) + at(i - width) + at(i + width) - 4 * at(i);
      sum += value;
      squares += value * value;
    }
  }
  const count = Math.max(1, (width - 2) * (height - 2));
  return Math.max(0, squares / count - (sum / count) ** 2);
}

/** A box of at least this share of the frame gets the full score for size. */
const fullArea = 0.15;
const fullPixels = 320;
/** Assumed for a picture without a box, in which the bird may be anywhere. */
const unknownArea = 0.02;

/**
 * Returns the quality of a picture of a bird by size and sharpness, 0 to 1; `area` is the share of the frame that its
 * box covers.
 */
export function pictureQuality(
  { width, height, sharpness }: Omit<PictureFacts, 'thumbhash'>,
  area: number | null,
): number {
  const size = Math.sqrt(Math.min(1, (area ?? unknownArea) / fullArea));
  const pixels = Math.min(1, Math.min(width, height) / fullPixels);
  return 0.45 * size + 0.15 * pixels + 0.4 * sharpness;
}

const upsertSql = `
  INSERT INTO detection_picture
    (detection_id, species_id, start_time, seconds, width, height, area, sharpness, quality, thumbhash)
  SELECT id, species_id, start_time, $2, $3, $4, $5, $6, $7, $8 FROM detection WHERE id = $1
  ON CONFLICT (detection_id) DO UPDATE SET species_id = excluded.species_id, start_time = excluded.start_time,
    seconds = excluded.seconds, width = excluded.width, height = excluded.height, area = excluded.area, sharpness = excluded.sharpness,
    quality = excluded.quality, thumbhash = excluded.thumbhash`;

/** The measured picture of a detection. */
export interface MeasuredPicture extends BestView {
  readonly detectionId: number;
}

/** Stores the measurements of the picture of a detection, unless the detection was deleted meanwhile. */
export async function storePictureFacts(
  pool: pg.Pool,
  { detectionId, seconds, box }: MeasuredPicture,
  facts: PictureFacts,
): Promise<void> {
  const { width, height, sharpness, thumbhash } = facts;
  const area = box ? visibleArea(box) : null;
  const quality = pictureQuality(facts, area);
  const values = [detectionId, seconds, width, height, area, sharpness, quality, thumbhash];
  await pool.query({ name: 'keep-picture-facts', text: upsertSql, values });
}

const unmeasuredSql = `
  SELECT wanted.id FROM unnest($1::bigint[]) wanted (id)
  WHERE NOT EXISTS (SELECT FROM detection_picture WHERE detection_id = wanted.id)`;

/** Returns those of the detections whose picture has not been measured yet. */
export async function listUnmeasured(
  pool: pg.Pool,
  detectionIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'unmeasured-pictures',
    text: unmeasuredSql,
    values: [detectionIds],
  });
  return new Set(rows.map(({ id }) => id));
}
