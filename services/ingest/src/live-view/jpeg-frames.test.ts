import { describe, expect, it } from 'vitest';
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
