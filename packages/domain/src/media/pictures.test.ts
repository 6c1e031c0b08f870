import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPictures } from './pictures.js';

const ppm = (width: number, height: number, first: number) =>
  Buffer.concat([
    Buffer.from(`P6\n${width} ${height}\n255\n`),
    Buffer.from(Array.from({ length: width * height * 3 }, (_, index) => (first + index) % 256)),
  ]);
const stream = Buffer.concat([ppm(3, 2, 10), ppm(1, 1, 80), ppm(4, 5, 0)]);

async function* inPieces(bytes: Buffer, ends: readonly number[]) {
  let begin = 0;
  for (const end of [...ends].sort((one, other) => one - other).concat(bytes.length)) {
    if (end > begin) yield bytes.subarray(begin, end);
    begin = Math.max(begin, end);
  }
}

async function collect(pieces: AsyncIterable<Buffer>) {
  const pictures = [];
  for await (const { width, height, data } of readPictures(pieces))
    pictures.push([width, height, data[0], data.length]);
  return pictures;
}

const whole = [
  [3, 2, 10, 18],
  [1, 1, 80, 3],
  [4, 5, 0, 60],
];

describe('readPictures', () => {
  it('chunks of any size, return all pictures', async () => {
    const ends = fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(ends, async (cuts) => {
        expect(await collect(inPieces(stream, cuts))).toEqual(whole);
      }),
    );
  });

  it('a truncated stream, returns the complete pictures', async () => {
    expect(await collect(inPieces(stream.subarray(0, -1), [7]))).toEqual(whole.slice(0, 2));
  });

  it('no bytes, return no picture', async () => {
    expect(await collect(inPieces(Buffer.alloc(0), []))).toEqual([]);
  });
});
