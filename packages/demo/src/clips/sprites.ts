import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { draw, type Photograph, type Pose, photographOf } from '../birds/index.js';
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
  readonly photographsDir?: string | undefined;
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

async function render(recipe: SpriteRecipe): Promise<Sprite> {
  const photograph = photographOf(recipe.bird);
  const { image, foot } = photograph ? await show(photograph, recipe) : drawn(recipe);
  const matrix = colourOf[recipe.light];
  const { data, info } = await (matrix ? image.recomb(matrix satisfies ColourMatrix) : image)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const box = findVisible(data, info.width, info.height);
  const cut = { left: box.left, top: box.top, width: box.width, height: box.height };
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } })
    .extract(cut)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const [footX, footY] = [Math.round(foot[0]) - box.left, Math.round(foot[1]) - box.top];
  return { png, width: box.width, height: box.height, footX, footY };
}

/** A picture with transparency, and the position of the feet in its pixels. */
interface Standing {
  readonly image: Sharp;
  readonly foot: readonly [x: number, y: number];
}

function drawn({ bird, pose, isMirrored, scale }: SpriteRecipe): Standing {
  const { svg, size, foot } = draw(bird, pose);
  const extent = Math.round(size * scale);
  const image = sharp(Buffer.from(svg.replace('<svg ', `<svg data-scale="${scale}" `)), {
    density: 72 * scale,
  })
    .resize(extent, extent)
    .ensureAlpha()
    .flop(isMirrored);
  return { image, foot: [(isMirrored ? size - foot[0] : foot[0]) * scale, foot[1] * scale] };
}

/** Width of a photograph from the bill to the tip of the tail, in units of the drawings. */
const photographWidth = 150;
/** Degrees by which a photographed bird leans forward in a pose; negative is upward. */
const leans: Partial<Record<Pose, number>> = {
  peck: 32,
  dip: 16,
  look: -7,
  alert: -4,
  hop: -6,
  'wings-up': -18,
  'wings-down': -10,
};

/** Shows a photographed bird in a pose: it is turned around its feet. */
async function show(
  { file, facesLeft, foot }: Photograph,
  { pose, isMirrored, scale, photographsDir }: SpriteRecipe,
): Promise<Standing> {
  if (photographsDir === undefined) throw new Error(`a clip with the photograph ${file} needs its folder`);
  const isFlopped = isMirrored !== facesLeft;
  const { data, info } = await sharp(join(photographsDir, file))
    .resize(Math.round(photographWidth * scale))
    .flop(isFlopped)
    .ensureAlpha()
    .png()
    .toBuffer({ resolveWithObject: true });
  const lean = (leans[pose] ?? 0) * (isMirrored ? -1 : 1);
  const turned = await sharp(data)
    .rotate(lean, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  const radians = (lean * Math.PI) / 180;
  const x = ((isFlopped ? 1 - foot[0] : foot[0]) - 0.5) * info.width;
  const y = (foot[1] - 0.5) * info.height;
  return {
    image: sharp(turned.data).ensureAlpha(),
    foot: [
      turned.info.width / 2 + x * Math.cos(radians) - y * Math.sin(radians),
      turned.info.height / 2 + x * Math.sin(radians) + y * Math.cos(radians),
    ],
  };
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
