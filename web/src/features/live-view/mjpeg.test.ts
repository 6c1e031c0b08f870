import { describe, expect, test } from 'vitest';
import { readPictures } from './mjpeg';

const part = (picture: string, boundary = 'birdhub-frame') =>
  `--${boundary}\r\ncontent-type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n${picture}\r\n`;

async function read(text: string, chunkLength: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkLength)
        controller.enqueue(bytes.slice(at, at + chunkLength));
      controller.close();
    },
  });
  const pictures: string[] = [];
  for await (const picture of readPictures(stream)) pictures.push(await picture.text());
  return pictures;
}

describe('readPictures', () => {
  test.each([1, 7, 1_000])(
    'a stream in chunks of %i bytes, gives its pictures and ends with it',
    async (length) => {
      expect(await read(part('first') + part('--second\r\n\r\n') + part('third'), length)).toEqual([
        'first',
        '--second\r\n\r\n',
        'third',
      ]);
    },
  );

  test('a stream that ends within a picture, gives the complete ones', async () => {
    expect(await read(part('first') + part('second').slice(0, -5), 16)).toEqual(['first']);
  });

  test('a part without a length, fails', async () => {
    await expect(read('--x\r\ncontent-type: image/jpeg\r\n\r\nabc', 100)).rejects.toThrow('length');
  });
});
