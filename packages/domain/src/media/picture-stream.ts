/** A decoded picture: three bytes a pixel, red, green and blue. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const headerPattern = /^P6\n(\d+) (\d+)\n255\n/;
const longestHeader = 32;

/** The pictures of a stream of binary PPM, one after the other; a last one that is cut off is left out. */
export async function* readPictures(stream: AsyncIterable<Buffer>): AsyncGenerator<Picture> {
  let rest: Buffer = Buffer.alloc(0);
  let picture: Picture | undefined;
  let filled = 0;
  for await (const chunk of stream) {
    let bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    rest = Buffer.alloc(0);
    while (bytes.length) {
      if (!picture) {
        const header = headerPattern.exec(bytes.toString('latin1', 0, longestHeader));
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
