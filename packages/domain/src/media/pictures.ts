import { type Box, widenBox } from './boxes.js';

/** A decoded picture with three bytes per pixel: red, green and blue. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const headerPattern = /^P6\n(\d+) (\d+)\n255\n/;
const maxHeaderLength = 32;

/** Yields the pictures of a stream of binary PPM; an incomplete last one is skipped. */
export async function* readPictures(stream: AsyncIterable<Buffer>): AsyncGenerator<Picture> {
  let rest: Buffer = Buffer.alloc(0);
  let picture: Picture | undefined;
  let filled = 0;
  for await (const chunk of stream) {
    let bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    rest = Buffer.alloc(0);
    while (bytes.length) {
      if (!picture) {
        const header = headerPattern.exec(bytes.toString('latin1', 0, maxHeaderLength));
        if (!header) {
          rest = bytes;
          break;
        }
        const [width, height] = [Number(header[1]), Number(header[2])];
        picture = { width, height, data: Buffer.allocUnsafe(width * height * 3) };
        filled = 0;
        bytes = bytes.subarray(header[0].length);
      }
      const taken = bytes.copy(picture.data, filled);
      filled += taken;
      bytes = bytes.subarray(taken);
      if (filled < picture.data.length) break;
      yield picture;
      picture = undefined;
    }
  }
}

const cropQuality = 88;
const posterQuality = 82;
const maxPosterWidth = 1_280;

/** Loads sharp for the first picture only, so that an idle service does not need its memory. */
async function open({ data, width, height }: Picture) {
  const { default: sharp } = await import('sharp');
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Returns the part of a picture around a box, or the entire picture without one, as a JPEG in sRGB without metadata. */
export async function cutPicture(picture: Picture, box: Box | undefined): Promise<Buffer> {
  const image = await open(picture);
  if (box) image.extract(widenBox(box, picture));
  return image.jpeg({ quality: cropQuality }).toBuffer();
}

/** Returns a picture in its original size as a JPEG. */
export async function encodePicture(picture: Picture): Promise<Buffer> {
  return (await open(picture)).jpeg({ quality: posterQuality }).toBuffer();
}

/** Returns a picture as a JPEG that is at most as wide as a poster. */
export async function shrinkPicture(picture: Picture): Promise<Buffer> {
  const image = await open(picture);
  return image
    .resize({ width: maxPosterWidth, withoutEnlargement: true })
    .jpeg({ quality: posterQuality })
    .toBuffer();
}

const sizedQuality = 78;

/** Returns a stored picture as a WebP of at most the given width. */
export async function resizePicture(bytes: Buffer, width: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(bytes)
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: sizedQuality, effort: 3 })
    .toBuffer();
}
