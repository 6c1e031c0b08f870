import type { Picture } from '@birdhub/shared/media';
import sharp from 'sharp';
import type { Box } from './choose-frame.js';
import { widenBox } from './widen-box.js';

const quality = 88;

/** The part of a picture around a box, or the whole without one, as a JPEG in sRGB with nothing said beside. */
export function cutPicture({ data, width, height }: Picture, box: Box | undefined): Promise<Buffer> {
  const picture = sharp(data, { raw: { width, height, channels: 3 } });
  if (box) picture.extract(widenBox(box, { width, height }));
  return picture.jpeg({ quality }).toBuffer();
}
