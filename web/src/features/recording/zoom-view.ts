import { boxAt } from './box-overlay';
import type { Detection } from './recording-queries';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Rectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** A point as fractions of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The point in the middle of the frame, and the magnification. */
export interface Zoom extends Point {
  readonly scale: number;
}

/** Position of the magnified layer in its frame, in px. */
export interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

const minScale = 1;
const maxScale = 6;
/** Used without a bounding box. */
const defaultScale = 2;
/** Share of the frame that the largest box of a bird fills. */
const filledShare = 0.45;
/** The middle of a box is averaged over these offsets, as boxes jitter. */
const smoothingOffsets = [-0.4, -0.2, 0, 0.2, 0.4];

type Frames = Detection['frames'];

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** Returns the nearest allowed scale. */
export const clampScale = (scale: number): number => clamp(scale, minScale, maxScale);

/** Returns the position of a magnified layer; it always covers its frame. */
export function placeView({ x, y, scale }: Zoom, picture: Rectangle, frame: Size): View {
  const middle = { left: picture.left + x * picture.width, top: picture.top + y * picture.height };
  const place = (at: number, length: number) => clamp(length / 2 - scale * at, length * (1 - scale), 0);
  return { scale, left: place(middle.left, frame.width), top: place(middle.top, frame.height) };
}

/** Converts a rectangle of the layer to coordinates of the frame. */
export function magnify(rectangle: Rectangle, { scale, left, top }: View): Rectangle {
  return {
    left: left + scale * rectangle.left,
    top: top + scale * rectangle.top,
    width: scale * rectangle.width,
    height: scale * rectangle.height,
  };
}

/** Returns a zoom moved by px on the screen; its middle stays within the picture. */
export function moveBy(zoom: Zoom, dx: number, dy: number, picture: Size): Zoom {
  const { scale } = zoom;
  const share = (at: number, by: number, length: number) =>
    clamp(at - by / Math.max(1, length * scale), 0, 1);
  return { scale, x: share(zoom.x, dx, picture.width), y: share(zoom.y, dy, picture.height) };
}

/** Returns the seconds between a time and the frames of a bird; 0 while it is visible. */
function distance(frames: Frames, time: number): number {
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return Number.POSITIVE_INFINITY;
  return Math.max(0, first.t - time, time - last.t);
}

/** Returns the detection to follow: the chosen one, else the nearest in time, then the most confident. */
function followed(
  detections: readonly Detection[],
  chosenId: number | undefined,
  time: number,
): Detection | undefined {
  const boxed = detections.filter(({ frames }) => frames.length > 0);
  const chosen = boxed.find(({ id }) => id === chosenId);
  if (chosen) return chosen;
  return boxed.toSorted(
    (one, other) =>
      distance(one.frames, time) - distance(other.frames, time) || other.confidence - one.confidence,
  )[0];
}

/** Returns the middle of a bird at a time; before its first and after its last frame, that of the nearest one. */
function middleAt(frames: Frames, time: number): Point {
  const within = clamp(time, frames[0]?.t ?? 0, frames.at(-1)?.t ?? 0);
  const [x1, y1, x2, y2] = boxAt(frames, within) ?? [0, 0, 1, 1];
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}

/** Returns the scale at which the largest box of a bird fills a good part of the frame. */
function scaleOf(frames: Frames, picture: Size, frame: Size): number {
  const longest = (from: number, to: number) =>
    Math.max(0.01, ...frames.map(({ bbox }) => (bbox[to] ?? 1) - (bbox[from] ?? 0)));
  const [width, height] = [longest(0, 2) * picture.width, longest(1, 3) * picture.height];
  const scale = filledShare * Math.min(frame.width / width, frame.height / height);
  return clamp(scale, 1.5, maxScale - 1);
}

/** Returns the zoom on the bird at a time; undefined without a bounding box. */
export function zoomOnBird(
  detections: readonly Detection[],
  chosenId: number | undefined,
  time: number,
  picture: Size,
  frame: Size,
): Zoom | undefined {
  const bird = followed(detections, chosenId, time);
  if (!bird) return undefined;
  const middles = smoothingOffsets.map((seconds) => middleAt(bird.frames, time + seconds));
  const mean = (of: (point: Point) => number) =>
    middles.reduce((sum, point) => sum + of(point), 0) / middles.length;
  return { x: mean(({ x }) => x), y: mean(({ y }) => y), scale: scaleOf(bird.frames, picture, frame) };
}

/** The initial zoom when no bird is followed. */
export const middleZoom: Zoom = { x: 0.5, y: 0.5, scale: defaultScale };

/**
 * Returns the second from which the hub takes the poster: the box nearest to the middle of the most confident video
 * detection, or else that middle.
 */
export function posterSecond(detections: readonly Detection[], seconds: number): number {
  const seen = detections.filter(({ source }) => source === 'video');
  const [best] = seen.toSorted((one, other) => other.confidence - one.confidence || one.id - other.id);
  if (!best) return seconds / 2;
  const middle = (best.start_time + best.end_time) / 2;
  const distance = (frame: { readonly t: number }) => Math.abs(frame.t - middle);
  const [nearest] = best.frames.toSorted((one, other) => distance(one) - distance(other));
  return nearest?.t ?? middle;
}
