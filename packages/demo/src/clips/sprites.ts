import sharp from 'sharp';
import { draw, type Pose } from '../birds/index.js';
import { type ColourMatrix, colourOf, type Light } from '../scenes/index.js';

/** A picture of a bird on a transparent background, cropped to the bird. */
export interface Sprite {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** Position of its feet in pixels from the upper left corner. */
  readonly footX: number;
  readonly footY: number;
}

/** The properties that determine a sprite. */
export interface SpriteRecipe {
  readonly bird: string;
  readonly pose: Pose;
  readonly isMirrored: boolean;
  readonly light: Light;
  readonly scale: number;
}

/** Pixels with a lower alpha value count as invisible. */
const visibleAlpha = 40;
const maxSprites = 400;
const made = new Map<string, Promise<Sprite>>();

/** Returns a sprite; a few hundred are cached. */
export function makeSprite(recipe: SpriteRecipe): Promise<Sprite> {
  const key = JSON.stringify(recipe);
  const known = made.get(key);
  if (known) return known;
  if (made.size >= maxSprites) made.clear();
  const sprite = render(recipe);
  made.set(key, sprite);
  sprite.catch(() => made.delete(key));
  return sprite;
}

async function render({ bird, pose, isMirrored, light, scale }: SpriteRecipe): Promise<Sprite> {
  const { svg, size, foot } = draw(bird, pose);
  const extent = Math.round(size * scale);
  const drawn = sharp(Buffer.from(svg.replace('<svg ', `<svg data-scale="${scale}" `)), {
    density: 72 * scale,
  })
    .resize(extent, extent)
    .ensureAlpha()
    .flop(isMirrored);
  const matrix = colourOf[light];
  const { data, info } = await (matrix ? drawn.recomb(matrix satisfies ColourMatrix) : drawn)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const box = findVisible(data, info.width, info.height);
  const cut = { left: box.left, top: box.top, width: box.width, height: box.height };
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .extract(cut)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const footX = Math.round((isMirrored ? size - foot[0] : foot[0]) * scale) - box.left;
  return { png, width: box.width, height: box.height, footX, footY: Math.round(foot[1] * scale) - box.top };
}

/** Returns the smallest rectangle with even sides that contains all visible pixels. */
function findVisible(data: Buffer, width: number, height: number) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) < visibleAlpha) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  const wide = Math.min(right - left + 1 + ((right - left + 1) % 2), width - left);
  const high = Math.min(bottom - top + 1 + ((bottom - top + 1) % 2), height - top);
  return { left, top, width: wide, height: high };
}
