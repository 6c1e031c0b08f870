import type { Box } from './choose-frame.js';
import type { Picture } from './picture-stream.js';
import { widenBox } from './widen-box.js';

const cropQuality = 88;
const posterQuality = 82;
const maxPosterWidth = 1_280;

/** Loaded with the first picture: a service at rest does without its memory. */
async function open({ data, width, height }: Picture) {
  const { default: sharp } = await import('sharp');
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Returns the part of a picture around a box, or the whole without one, as a JPEG in sRGB without metadata. */
export async function cutPicture(picture: Picture, box: Box | undefined): Promise<Buffer> {
  const image = await open(picture);
  if (box) image.extract(widenBox(box, picture));
  return image.jpeg({ quality: cropQuality }).toBuffer();
}

/** Returns a whole picture as a JPEG of at most the width of a poster. */
export async function shrinkPicture(picture: Picture): Promise<Buffer> {
  const image = await open(picture);
  return image
    .resize({ width: maxPosterWidth, withoutEnlargement: true })
    .jpeg({ quality: posterQuality })
    .toBuffer();
}
