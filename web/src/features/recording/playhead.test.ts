import { describe, expect, it } from 'vitest';
import { createPlayhead, positionText, positionToShare } from './playhead';

/** A video that presents the frames a test asks for. */
class FakeVideo extends EventTarget {
  currentTime = 0;
  paused = false;
  #waiting = new Map<number, VideoFrameRequestCallback>();
  #last = 0;

  requestVideoFrameCallback(callback: VideoFrameRequestCallback): number {
    this.#last += 1;
    this.#waiting.set(this.#last, callback);
    return this.#last;
  }

  cancelVideoFrameCallback(handle: number): void {
    this.#waiting.delete(handle);
  }

  show(mediaTime: number): void {
    this.currentTime = mediaTime;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const callback of waiting) callback(0, { mediaTime } as VideoFrameCallbackMetadata);
  }
}

function followVideo() {
  const fake = new FakeVideo();
  const playhead = createPlayhead();
  const times: number[] = [];
  playhead.subscribe(() => times.push(playhead.time()));
  const stop = playhead.follow(fake as unknown as HTMLVideoElement);
  return { fake, playhead, times, stop };
}

describe('createPlayhead', () => {
  it('video frames, are reported once each with their own time', () => {
    const { fake, times } = followVideo();
    for (const time of [0.04, 0.08, 0.08, 0.12]) fake.show(time);
    expect(times).toEqual([0.04, 0.08, 0.12]);
  });

  it('consecutive frames, give the duration of a frame', () => {
    const { fake, playhead } = followVideo();
    expect(playhead.frameSeconds()).toBe(0.04);
    for (const time of [1, 1.1]) fake.show(time);
    expect(playhead.frameSeconds()).toBeCloseTo(0.1);
    fake.show(5);
    expect(playhead.frameSeconds()).toBeCloseTo(0.1);
  });

  it('a seek while paused, moves the playhead at once', () => {
    const { fake, playhead } = followVideo();
    fake.paused = true;
    fake.currentTime = 7;
    fake.dispatchEvent(new Event('seeking'));
    expect(playhead.time()).toBe(7);
  });

  it('a video no longer followed, is not reported', () => {
    const { fake, times, stop } = followVideo();
    stop();
    fake.show(3);
    fake.dispatchEvent(new Event('seeking'));
    expect(times).toEqual([]);
  });

  it('a video moved before it is followed, gives its position', () => {
    const fake = new FakeVideo();
    fake.currentTime = 4;
    const playhead = createPlayhead();
    playhead.follow(fake as unknown as HTMLVideoElement);
    expect(playhead.time()).toBe(4);
  });
});

describe('positionToShare', () => {
  const longer = { played: 12.3, reported: 10.04 };
  it.each([
    ['at the start', 0.05, longer, undefined],
    ['within the reported length', 4.27, longer, 4.2],
    ['past the reported length of a longer clip', 11.5, longer, 10],
    ['at the last frame of a longer clip', 12.26, longer, undefined],
    ['at the end of a longer clip', 12.3, longer, undefined],
    ['at the end of a shorter clip', 8, { played: 8, reported: 10 }, undefined],
  ])('%s, is known to the hub', (_circumstance, time, lengths, position) => {
    expect(positionToShare({ time: () => time, frameSeconds: () => 0.04 }, lengths)).toBe(position);
  });
});

describe('positionText', () => {
  it.each([
    [0, false, '0:00'],
    [9.99, false, '0:09'],
    [65.2, false, '1:05'],
    [3_600, false, '60:00'],
    [0.3, true, '0:00.3'],
    [59.96, true, '0:59.9'],
    [65.4, true, '1:05.4'],
    [-1, true, '0:00.0'],
  ])('%d s, tenths %s, is %s', (seconds, hasTenths, text) => {
    expect(positionText(seconds, hasTenths)).toBe(text);
  });
});
