import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { keyPacketBefore, nearestPacket, parsePackets, readListing, toRuns } from './packets.js';

const listing = `packet,512,100.04,__
packet,0,100,K_
packet,N/A,N/A,__
packet,1024,100.08,KD
packet,1536,100.12,K__
format,100
`;
const packets = parsePackets(listing, 100);

describe('parsePackets', () => {
  it('a listing, returns the visible packets by time from the start of the file', () => {
    expect(packets.map(({ pts, seconds, isKey }) => [pts, Number(seconds.toFixed(3)), isKey])).toEqual([
      [0, 0, true],
      [512, 0.04, false],
      [1536, 0.12, true],
    ]);
  });

  it.each(['', '\n', 'packet\n', 'format,0\n'])('%j, returns no packets', (text) => {
    expect(parsePackets(text, 0)).toEqual([]);
  });
});

describe('nearestPacket', () => {
  it.each([
    [-1, 0],
    [0.019, 0],
    [0.021, 512],
    [0.079, 512],
    [0.081, 1536],
    [99, 1536],
  ])('%d s, returns the packet %d', (seconds, pts) => {
    expect(nearestPacket(packets, seconds)?.pts).toBe(pts);
  });

  it('no packets, returns undefined', () => {
    expect(nearestPacket([], 1)).toBeUndefined();
  });
});

describe('keyPacketBefore', () => {
  it.each([
    [512, 0],
    [1536, 1536],
  ])('the packet %d, returns the key packet %d', (pts, key) => {
    expect(keyPacketBefore(packets, { pts, seconds: 0, isKey: false })?.pts).toBe(key);
  });
});

describe('toRuns', () => {
  const placesOf = (times: readonly number[]) => toRuns(times).map((run) => run.map(({ index }) => index));

  it('unordered times, are sorted and split at long gaps', () => {
    expect(placesOf([30, 0, 5, 40.5, 15, 5])).toEqual([[1, 2, 5, 4], [0], [3]]);
  });

  it('very many times, are split into parts', () => {
    expect(toRuns(Array.from({ length: 70 }, () => 1)).map((run) => run.length)).toEqual([32, 32, 6]);
  });

  it('no times, returns no runs', () => {
    expect(toRuns([])).toEqual([]);
  });
});

describe('readListing', () => {
  it('a listing in pieces, is returned whole', async () => {
    expect(await readListing(Readable.from([Buffer.from('packet,'), Buffer.from('0,é\n')]))).toBe(
      'packet,0,é\n',
    );
  });

  it('an endless listing, is empty, and its program is stopped', async () => {
    const output = new Readable({ read: () => void output.push(Buffer.alloc(1024 * 1024, 'packet\n')) });
    expect(await readListing(output)).toBe('');
    expect(output.destroyed).toBe(true);
  });
});
