import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveFrame } from './live-client.js';
import { FrameRing } from './live-feed.js';

const frame = (sequence: number, size = 10): LiveFrame => ({
  sequence,
  name: 'motion',
  bytes: Buffer.alloc(size),
});
const sequences = (frames: readonly LiveFrame[]) => frames.map((one) => one.sequence);

describe('frame ring', () => {
  it('with an unknown start, covers nothing until the first event, then what follows', () => {
    const ring = new FrameRing(100);
    expect([ring.position, ring.covers(0)]).toEqual([undefined, false]);
    ring.push(frame(7));
    expect([5, 6, 7, 8].map((sequence) => ring.covers(sequence))).toEqual([false, true, true, false]);
  });

  it('with a known start, covers it before the first event', () => {
    const ring = new FrameRing(100);
    ring.restartAfter(41);
    expect([40, 41, 42].map((sequence) => ring.covers(sequence))).toEqual([false, true, false]);
    expect(ring.after(41)).toEqual([]);
  });

  it('when full, drops the oldest event and covers the rest', () => {
    const ring = new FrameRing(30);
    ring.restartAfter(0);
    for (const sequence of [1, 2, 4, 5]) ring.push(frame(sequence));
    expect(sequences(ring.after(0))).toEqual([2, 4, 5]);
    expect([0, 1, 3].map((sequence) => ring.covers(sequence))).toEqual([false, true, true]);
  });

  it('with an event larger than the ring, is empty and continues after it', () => {
    const ring = new FrameRing(30);
    ring.restartAfter(0);
    ring.push(frame(1, 31));
    expect([ring.covers(0), ring.covers(1), ring.after(0)]).toEqual([false, true, []]);
  });

  it('with any events, returns all of them after every position that it covers', () => {
    const steps = fc.array(
      fc.record({ step: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 1, max: 40 }) }),
    );
    fc.assert(
      fc.property(steps, (given) => {
        const ring = new FrameRing(100);
        ring.restartAfter(0);
        const all: LiveFrame[] = [];
        for (const { step, size } of given) {
          all.push(frame((all.at(-1)?.sequence ?? 0) + step, size));
          ring.push(all.at(-1) ?? frame(0));
        }
        for (let position = 0; position <= (ring.position ?? 0); position += 1) {
          if (!ring.covers(position)) continue;
          expect(ring.after(position)).toEqual(all.filter((one) => one.sequence > position));
        }
        expect(ring.covers(ring.position ?? 0)).toBe(true);
      }),
    );
  });
});
