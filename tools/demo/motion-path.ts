import type { WireBox } from '@birdhub/testing/processor-client/processor-wire';

/** The picture every clip has: pixels and frames per second. */
export const picture = { width: 640, height: 360, framesPerSecond: 12 } as const;

/** One axis of a motion: a swing of `reach` pixels around `middle` that returns after `period` seconds. */
export type Swing = { middle: number; reach: number; period: number; phase: number };

/** Where the middle of a subject is at every instant. */
export type MotionPath = { x: Swing; y: Swing };

/** Width and height of a subject in pixels. */
export type Size = { width: number; height: number };

/** Left upper corner of a subject in pixels at an instant, on even pixels as ffmpeg's overlay puts it. */
export function cornerAt(path: MotionPath, size: Size, t: number): { left: number; top: number } {
  return { left: even(swingAt(path.x, t) - size.width / 2), top: even(swingAt(path.y, t) - size.height / 2) };
}

/** The box around a subject at an instant, as shares of the picture. */
export function boxAt(path: MotionPath, size: Size, t: number): WireBox {
  const { left, top } = cornerAt(path, size, t);
  return [
    rounded(left / picture.width),
    rounded(top / picture.height),
    rounded((left + size.width) / picture.width),
    rounded((top + size.height) / picture.height),
  ];
}

/** The same motion in ffmpeg's words: an overlay coordinate as a function of the second `t`. */
export function overlayExpression({ middle, reach, period, phase }: Swing, extent: number): string {
  return `${middle}+${reach}*sin(2*PI*t/${period}+${phase})-${extent / 2}`;
}

function swingAt({ middle, reach, period, phase }: Swing, t: number): number {
  return middle + reach * Math.sin((2 * Math.PI * t) / period + phase);
}

function even(pixels: number): number {
  return Math.floor(pixels / 2) * 2;
}

function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5;
}
