import { describe, expect, it } from 'vitest';
import { createPlayhead, positionText } from './playhead';

/** A video that shows the pictures that a test tells it to. */
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

function following() {
  const fake = new FakeVideo();
  const playhead = createPlayhead();
  const heard: number[] = [];
  playhead.subscribe(() => heard.push(playhead.time()));
  const stop = playhead.follow(fake as unknown as HTMLVideoElement);
  return { fake, playhead, heard, stop };
}

describe('createPlayhead', () => {
  it('pictures of a video, are each told once with their own time', () => {
    const { fake, heard } = following();
    for (const time of [0.04, 0.08, 0.08, 0.12]) fake.show(time);
    expect(heard).toEqual([0.04, 0.08, 0.12]);
  });

  it('pictures as they follow each other, tell how long one is shown', () => {
    const { fake, playhead } = following();
    expect(playhead.frameSeconds()).toBe(0.04);
    for (const time of [1, 1.1]) fake.show(time);
    expect(playhead.frameSeconds()).toBeCloseTo(0.1);
    fake.show(5);
    expect(playhead.frameSeconds()).toBeCloseTo(0.1);
  });

  it('a video that is sought in while it stands, is where it was sent at once', () => {
    const { fake, playhead } = following();
    fake.paused = true;
    fake.currentTime = 7;
    fake.dispatchEvent(new Event('seeking'));
    expect(playhead.time()).toBe(7);
  });

  it('a video that is not followed any more, is not heard of', () => {
    const { fake, heard, stop } = following();
    stop();
    fake.show(3);
    fake.dispatchEvent(new Event('seeking'));
    expect(heard).toEqual([]);
  });

  it('a video that was moved before it is followed, is where it is', () => {
    const fake = new FakeVideo();
    fake.currentTime = 4;
    const playhead = createPlayhead();
    playhead.follow(fake as unknown as HTMLVideoElement);
    expect(playhead.time()).toBe(4);
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
