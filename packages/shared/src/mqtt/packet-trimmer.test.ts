import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { PacketTrimmer } from './packet-trimmer.js';

const message = (length: number, fill = 0x61) => {
  const digits: number[] = [];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    digits.push(rest >= 128 ? (rest % 128) | 0x80 : rest);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([0x32, ...digits]), Buffer.alloc(length, fill)]);
};
const ping = Buffer.from([0xd0, 0]);

async function pass(trimmer: PacketTrimmer, bytes: Buffer, chunkSize: number): Promise<Buffer> {
  const passed = buffer(trimmer);
  for (let at = 0; at < bytes.length; at += chunkSize)
    if (!trimmer.write(bytes.subarray(at, at + chunkSize))) await once(trimmer, 'drain');
  trimmer.end();
  return passed;
}

describe('PacketTrimmer', () => {
  it.each([1, 2, 7, 1_000, 1_000_000])(
    'with chunks of %i bytes, cuts off only messages above the limit',
    async (size) => {
      const trimmer = new PacketTrimmer({ maxBytes: 200 });
      const [small, other] = [message(200), message(0)];
      const bytes = Buffer.concat([
        ping,
        small,
        message(20_000, 0x62),
        ping,
        other,
        message(201, 0x63),
        ping,
      ]);
      const expected = [ping, small, message(200, 0x62), ping, other, message(200, 0x63), ping];
      expect((await pass(trimmer, bytes, size)).equals(Buffer.concat(expected))).toBe(true);
      expect([1, 2, 3, 4].map((number) => trimmer.takeSize(number))).toEqual([
        undefined,
        20_000,
        undefined,
        201,
      ]);
      expect(trimmer.takeSize(2)).toBeUndefined();
    },
  );

  it('with a malformed length, passes everything that follows', async () => {
    const trimmer = new PacketTrimmer({ maxBytes: 10 });
    const bytes = Buffer.concat([Buffer.from([0x32, 0xff, 0xff, 0xff, 0xff]), message(100)]);
    expect((await pass(trimmer, bytes, 3)).equals(bytes)).toBe(true);
  });

  it('a large message, keeps its first 128 KB and reports progress', async () => {
    let drops = 0;
    const trimmer = new PacketTrimmer({ maxBytes: 1_000_000, onDropped: () => (drops += 1) });
    const passed = await pass(trimmer, message(3_000_000), 65_536);
    expect(passed.equals(message(131_072))).toBe(true);
    expect(drops).toBeGreaterThan(40);
  });
});
