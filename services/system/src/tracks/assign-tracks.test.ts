import type { Frame } from '@birdhub/domain/recordings';
import { describe, expect, it } from 'vitest';
import { assignTracks } from './assign-tracks.js';

const track = (start: number, end: number, x = 0): Frame[] =>
  Array.from({ length: (end - start) * 5 + 1 }, (_, index) => ({
    t: start + index / 5,
    bbox: [x, 0, x + 0.1, 0.1],
  }));

describe('assignTracks', () => {
  it('a detection, gets what moved for the longest of its time, cut to that', () => {
    const assigned = assignTracks([{ id: 1, start: 2, end: 5 }], [track(0, 3), track(1, 9, 0.5)]);
    const frames = assigned.get(1) ?? [];
    expect([frames[0]?.t, frames.at(-1)?.t, frames[0]?.bbox[0]]).toEqual([2, 5, 0.5]);
  });

  it('two at once, get one thing each', () => {
    const both = [
      { id: 1, start: 0, end: 4 },
      { id: 2, start: 1, end: 4 },
    ];
    const assigned = assignTracks(both, [track(0, 4), track(1, 4, 0.5)]);
    expect([assigned.get(1)?.[0]?.bbox[0], assigned.get(2)?.[0]?.bbox[0]]).toEqual([0, 0.5]);
    expect([...assignTracks(both, [track(0, 4)]).keys()]).toEqual([1]);
  });

  it('one after the other, share what moved all the time', () => {
    const after = [
      { id: 1, start: 0, end: 2 },
      { id: 2, start: 3, end: 4 },
    ];
    expect([...assignTracks(after, [track(0, 4)]).keys()]).toEqual([1, 2]);
  });

  it('what moved at other times, is nobody', () => {
    expect(assignTracks([{ id: 1, start: 5, end: 6 }], [track(0, 4)]).size).toBe(0);
  });
});
