import { describe, expect, it } from 'vitest';
import type { Detection } from './recording-queries';
import { magnify, moveBy, placeView, posterSecond, zoomOnBird } from './zoom-view';

const frame = { width: 800, height: 450 };
const picture = { left: 0, top: 0, ...frame };

function createDetection(given: Partial<Detection>): Detection {
  return {
    id: 1,
    source: 'video',
    confidence: 0.8,
    start_time: 0,
    end_time: 4,
    frames: [],
    ...given,
  } as Detection;
}

const still = (id: number, x: number, given: Partial<Detection> = {}) =>
  createDetection({
    id,
    frames: [0, 1, 2].map((t) => ({ t, bbox: [x - 0.05, 0.4, x + 0.05, 0.6] })),
    ...given,
  });

describe('placeView', () => {
  it('the middle of the picture, stays in the middle of the frame', () => {
    const view = placeView({ x: 0.5, y: 0.5, scale: 2 }, picture, frame);
    expect(view).toEqual({ scale: 2, left: -400, top: -225 });
    expect(magnify({ left: 350, top: 200, width: 100, height: 50 }, view)).toEqual({
      left: 300,
      top: 175,
      width: 200,
      height: 100,
    });
  });

  it('a point at the edge, leaves no part of the frame empty', () => {
    expect(placeView({ x: 0, y: 1, scale: 3 }, picture, frame)).toEqual({ scale: 3, left: 0, top: -900 });
  });

  it('without magnification, matches the frame', () => {
    expect(placeView({ x: 0.9, y: 0.1, scale: 1 }, picture, frame)).toEqual({ scale: 1, left: 0, top: 0 });
  });
});

describe('moveBy', () => {
  it('a drag to the right, shows what lies further left', () => {
    expect(moveBy({ x: 0.5, y: 0.5, scale: 2 }, 160, 0, picture)).toEqual({ x: 0.4, y: 0.5, scale: 2 });
  });

  it('a long drag, stops at the edge of the picture', () => {
    expect(moveBy({ x: 0.5, y: 0.5, scale: 2 }, 9_000, -9_000, picture)).toEqual({ x: 0, y: 1, scale: 2 });
  });
});

describe('zoomOnBird', () => {
  it('with a bird in view, centres and magnifies it', () => {
    const zoom = zoomOnBird([still(1, 0.3)], undefined, 1, picture, frame);
    expect(zoom?.x).toBeCloseTo(0.3);
    expect(zoom?.y).toBeCloseTo(0.5);
    expect(zoom?.scale).toBeCloseTo(2.25);
  });

  it('with several birds, follows the chosen one, or else the most certain one', () => {
    const birds = [still(1, 0.2), still(2, 0.7, { confidence: 0.9 })];
    expect(zoomOnBird(birds, undefined, 1, picture, frame)?.x).toBeCloseTo(0.7);
    expect(zoomOnBird(birds, 1, 1, picture, frame)?.x).toBeCloseTo(0.2);
  });

  it('long after the last box, stays there', () => {
    expect(zoomOnBird([still(1, 0.3)], undefined, 60, picture, frame)?.x).toBeCloseTo(0.3);
  });

  it('without boxes, returns undefined', () => {
    expect(zoomOnBird([createDetection({})], 1, 1, picture, frame)).toBeUndefined();
  });
});

describe('posterSecond', () => {
  it('with detections, is the middle of the most certain one that was seen', () => {
    const detections = [
      createDetection({ id: 3, start_time: 2, end_time: 6, confidence: 0.9 }),
      createDetection({ id: 2, start_time: 0, end_time: 1, confidence: 0.9 }),
      createDetection({ id: 1, source: 'audio', confidence: 1 }),
    ];
    expect(posterSecond(detections, 20)).toBe(0.5);
  });

  it('with boxes, is that of the box nearest to this middle', () => {
    const bbox = [0.1, 0.1, 0.2, 0.2] as [number, number, number, number];
    const frames = [2, 3.3, 4.4, 6].map((t) => ({ t, bbox }));
    expect(posterSecond([createDetection({ start_time: 2, end_time: 6, frames })], 20)).toBe(4.4);
  });

  it('without detections, is the middle of the recording', () => {
    expect(posterSecond([], 20)).toBe(10);
  });
});
