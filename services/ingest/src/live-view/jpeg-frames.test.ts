import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aFrame } from '../testing/stub-camera.js';
import { FrameTooLargeError, JpegFrames } from './jpeg-frames.js';

const part = (frame: Buffer, head: string) =>
  Buffer.concat([
    Buffer.from(`--cam\r\nContent-Type: image/jpeg\r\n${head}\r\n`),
    frame,
    Buffer.from('\r\n'),
  ]);
const withLength = (frame: Buffer) => part(frame, `Content-Length: ${frame.length}\r\n`);

describe('pictures in a multipart stream', () => {
  it.each([1, 3, 1_000])('in chunks of %d bytes, are extracted complete', (size) => {
    const frames = new JpegFrames('cam', 10_000);
    const stream = Buffer.concat([withLength(aFrame(1)), part(aFrame(2), ''), withLength(aFrame(3))]);
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size)
      found.push(...frames.push(stream.subarray(at, at + size)));
    expect(found.map(String)).toEqual([1, 2, 3].map((number) => String(aFrame(number))));
  });

  it('in chunks of any size, are the same', () => {
    const numbers = fc.array(fc.tuple(fc.nat(1_000), fc.boolean()), { maxLength: 6 });
    const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(numbers, sizes, (pictures, chunkSizes) => {
        const parts = pictures.map(([number, hasLength]) =>
          hasLength ? withLength(aFrame(number)) : part(aFrame(number), ''),
        );
        const stream = Buffer.concat([...parts, Buffer.from('--cam')]);
        const frames = new JpegFrames('cam', 10_000);
        const found: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = chunkSizes[turn % chunkSizes.length] ?? 1;
          // A copy, as a chunk may be reused after it was added.
          found.push(...frames.push(Buffer.from(stream.subarray(at, at + size))));
          at += size;
        }
        expect(found.map(String)).toEqual(pictures.map(([number]) => String(aFrame(number))));
      }),
    );
  });

  it.each([
    ['a declared length', (frame: Buffer) => withLength(frame)],
    ['no length', (frame: Buffer) => part(frame, '')],
    ['no boundary', (frame: Buffer) => frame],
    ['no end of the head', () => Buffer.from(`--cam\r\nX: ${'x'.repeat(8_000)}`)],
  ])('with %s, byte by byte, take work in proportion to their size', (_, toStream) => {
    const stream = toStream(Buffer.concat([aFrame(1), Buffer.alloc(20_000, 1)]));
    const search = vi.spyOn(Buffer.prototype, 'indexOf');
    const read = vi.spyOn(Buffer.prototype, 'toString');
    const copy = vi.spyOn(Buffer.prototype, 'copy');
    const concat = vi.spyOn(Buffer, 'concat');
    onTestFinished(() => void vi.restoreAllMocks());
    const frames = new JpegFrames('cam', 100_000);
    const chunk = Buffer.alloc(1);
    for (const byte of stream) {
      chunk[0] = byte;
      frames.push(chunk);
    }
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    const lengths = (spy: { mock: { contexts: unknown[] } }) =>
      spy.mock.contexts.map((context) => (context as Buffer).length);
    const searched = sum(
      lengths(search).map((length, at) => length - Number(search.mock.calls[at]?.[1] ?? 0)),
    );
    const decoded = sum(
      lengths(read).map((length, at) => {
        const [, from, to] = read.mock.calls[at] ?? [];
        return Math.min(length, Number(to ?? length)) - Number(from ?? 0);
      }),
    );
    const joined = sum(concat.mock.results.map(({ value }) => (value as Buffer).length));
    expect(searched + decoded + sum(lengths(copy)) + joined).toBeLessThan(20 * stream.length);
  });

  it('of many small parts in one chunk, have only their heads decoded', () => {
    const stream = Buffer.concat(Array.from({ length: 200 }, () => withLength(Buffer.from('x'))));
    const decode = vi.spyOn(Buffer.prototype, 'toString');
    onTestFinished(() => void vi.restoreAllMocks());
    new JpegFrames('cam', 100_000).push(stream);
    const decoded = decode.mock.results.map(({ value }) => String(value).length);
    expect(decoded.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(stream.length);
  });

  it('with part headers whose lines end in LF only, are extracted complete', () => {
    const head = `--cam\nContent-Type: image/jpeg\nContent-Length: ${aFrame(1).length}\n\n`;
    const frames = new JpegFrames('cam', 10_000).push(Buffer.concat([Buffer.from(head), aFrame(1)]));
    expect(frames.map(String)).toEqual([String(aFrame(1))]);
  });

  it('among parts of other types, are the only output', () => {
    const frames = new JpegFrames('--cam', 10_000);
    expect(
      frames.push(Buffer.concat([withLength(Buffer.from('<html>')), withLength(aFrame(2))])),
    ).toHaveLength(1);
  });

  it('larger than the limit, declared or not, are refused', () => {
    expect(() => new JpegFrames('cam', 50).push(part(Buffer.alloc(0), 'Content-Length: 51\r\n'))).toThrow(
      FrameTooLargeError,
    );
    const frames = new JpegFrames('cam', 50);
    expect(() => frames.push(part(Buffer.alloc(100), ''))).toThrow(FrameTooLargeError);
  });
});
