import type { Shape } from './bird-look.js';

/** A point of the drawing; y increases downwards. */
export type Point = readonly [x: number, y: number];

/** The outline of a songbird that faces right, from the bill over the back to the tail and along the belly. */
export const outline: readonly Point[] = [
  [149, 71],
  [143, 59],
  [133, 51],
  [120, 48],
  [107, 52],
  [96, 62],
  [86, 75],
  [73, 91],
  [57, 108],
  [42, 123],
  [37, 131],
  [44, 138],
  [58, 145],
  [76, 150.5],
  [96, 153],
  [116, 150],
  [132, 142],
  [143, 129],
  [149, 114],
  [150.5, 100],
  [148.5, 88],
  [149.5, 79],
];

/** Regions of the plumage. They may extend beyond the outline, which clips them. */
export const patches = {
  cap: [
    [156, 70],
    [150, 50],
    [126, 36],
    [100, 40],
    [82, 62],
    [88, 71],
    [103, 63],
    [119, 59],
    [133, 60],
    [146, 66],
  ],
  'deep cap': [
    [156, 72],
    [150, 48],
    [126, 34],
    [98, 40],
    [78, 66],
    [84, 80],
    [99, 74],
    [114, 68],
    [130, 71.5],
    [147, 73],
  ],
  crown: [
    [150, 62],
    [142, 50],
    [124, 38],
    [100, 44],
    [90, 60],
    [98, 62],
    [112, 55],
    [128, 54],
    [140, 59],
  ],
  hood: [
    [162, 72],
    [146, 38],
    [110, 32],
    [78, 62],
    [78, 84],
    [94, 95],
    [116, 100],
    [138, 99],
    [160, 92],
  ],
  'deep hood': [
    [164, 72],
    [146, 38],
    [110, 32],
    [74, 68],
    [76, 90],
    [96, 100],
    [114, 112],
    [134, 118],
    [162, 112],
  ],
  face: [
    [158, 78],
    [152, 58],
    [138, 52],
    [129, 60],
    [125, 74],
    [130, 84],
    [142, 88],
    [158, 86],
  ],
  cheek: [
    [140, 75],
    [129, 72],
    [112, 72],
    [100, 79],
    [99, 89],
    [110, 96],
    [126, 94],
    [137, 87],
  ],
  'small cheek': [
    [134, 75],
    [122, 73],
    [110, 76],
    [106, 84],
    [112, 91],
    [124, 90],
    [133, 84],
  ],
  'ear spot': [
    [122, 79],
    [114, 77],
    [109, 82],
    [112, 88],
    [120, 88],
    [124, 83],
  ],
  'eye stripe': [
    [152, 72],
    [140, 65],
    [124, 64],
    [104, 68],
    [88, 78],
    [92, 84],
    [108, 77],
    [124, 71.5],
    [140, 71.5],
    [152, 75],
  ],
  lores: [
    [152, 70],
    [142, 65],
    [136, 66],
    [138, 72],
    [152, 76],
  ],
  eyebrow: [
    [150, 66],
    [139, 58],
    [124, 56],
    [104, 62],
    [98, 68],
    [110, 67],
    [126, 61.5],
    [139, 63],
    [150, 69],
  ],
  forehead: [
    [156, 72],
    [150, 52],
    [138, 48],
    [136, 58],
    [143, 66],
  ],
  nape: [
    [114, 50],
    [98, 42],
    [80, 64],
    [82, 82],
    [98, 78],
    [108, 66],
  ],
  'nape spot': [
    [104, 54],
    [94, 52],
    [84, 68],
    [88, 74],
    [98, 68],
    [104, 61],
  ],
  chin: [
    [156, 75],
    [145, 75],
    [139, 80],
    [140, 87],
    [156, 90],
  ],
  bib: [
    [158, 76],
    [144, 76],
    [134, 82],
    [130, 92],
    [136, 102],
    [152, 106],
    [160, 94],
  ],
  'large bib': [
    [158, 76],
    [144, 76],
    [133, 84],
    [124, 98],
    [126, 112],
    [142, 120],
    [162, 112],
  ],
  moustache: [
    [147, 77],
    [136, 79],
    [124, 86],
    [114, 95],
    [118, 101],
    [131, 96],
    [145, 85],
  ],
  tie: [
    [158, 92],
    [138, 98],
    [136, 108],
    [137, 124],
    [127, 136],
    [104, 146.5],
    [74, 146],
    [74, 160],
    [106, 164],
    [140, 154],
    [158, 128],
  ],
  collar: [
    [112, 88],
    [98, 79],
    [82, 80],
    [82, 87],
    [96, 87],
    [108, 94],
  ],
  'neck patch': [
    [116, 86],
    [103, 82],
    [93, 88],
    [96, 98],
    [108, 103],
    [117, 97],
  ],
  'neck side': [
    [112, 96],
    [106, 84],
    [94, 76],
    [84, 82],
    [90, 94],
    [102, 104],
    [112, 106],
  ],
  necklace: [
    [160, 96],
    [140, 101],
    [119, 101],
    [104, 90],
    [96, 74],
    [91, 77],
    [98, 95],
    [116, 107],
    [140, 108],
    [162, 103],
  ],
  'orange face': [
    [158, 76],
    [153, 62],
    [143, 53],
    [133, 55],
    [126, 65],
    [117, 80],
    [110, 94],
    [113, 112],
    [123, 128],
    [146, 130],
    [162, 108],
  ],
  breast: [
    [160, 86],
    [134, 92],
    [120, 103],
    [114, 120],
    [120, 136],
    [140, 146],
    [162, 124],
  ],
  'breast band': [
    [162, 103],
    [140, 107],
    [122, 107],
    [116, 116],
    [124, 124],
    [142, 123],
    [162, 118],
  ],
  underparts: [
    [162, 82],
    [138, 91],
    [122, 100],
    [110, 116],
    [92, 131],
    [66, 139],
    [46, 143],
    [56, 164],
    [112, 170],
    [164, 144],
  ],
  belly: [
    [146, 132],
    [124, 127],
    [104, 134],
    [74, 142],
    [56, 146],
    [66, 164],
    [120, 164],
    [150, 148],
  ],
  flank: [
    [126, 110],
    [117, 120],
    [98, 136],
    [72, 142],
    [84, 149],
    [108, 148],
    [125, 137],
    [131, 120],
  ],
  mantle: [
    [118, 72],
    [98, 60],
    [74, 84],
    [50, 110],
    [28, 126],
    [38, 138],
    [66, 120],
    [92, 102],
    [116, 96],
  ],
  rump: [
    [64, 98],
    [46, 112],
    [28, 126],
    [40, 142],
    [56, 134],
    [72, 116],
  ],
  vent: [
    [72, 143],
    [52, 136],
    [34, 136],
    [38, 152],
    [66, 160],
  ],
  shoulder: [
    [124, 92],
    [112, 90],
    [102, 95],
    [104, 106],
    [114, 112],
    [122, 106],
  ],
} as const satisfies Record<string, readonly Point[]>;

/** A region of the plumage. */
export type PatchName = keyof typeof patches;

/** The folded wing and its parts. */
export const wing = {
  whole: [
    [122, 95],
    [108, 91],
    [88, 99],
    [66, 114],
    [42, 130],
    [28, 141],
    [38, 143],
    [62, 141.5],
    [86, 138],
    [104, 131],
    [117, 118],
    [123, 105],
  ],
  coverts: [
    [122, 95],
    [108, 91],
    [92, 97.5],
    [87, 108],
    [92, 120],
    [104, 127],
    [115, 119],
    [123, 105],
  ],
  primaries: [
    [62, 124],
    [44, 130],
    [26, 140],
    [26, 144],
    [46, 145],
    [70, 142],
    [76, 134],
  ],
  bar: [
    [91, 99],
    [86, 108],
    [90, 120],
    [102, 129],
    [106, 126],
    [95, 117],
    [92, 108],
    [95, 98],
  ],
  'second bar': [
    [106, 92],
    [101, 100],
    [103, 110],
    [112, 119],
    [115, 116],
    [107, 108],
    [106, 100],
    [110, 92],
  ],
  panel: [
    [92, 112],
    [76, 119],
    [56, 129],
    [50, 136],
    [66, 137],
    [88, 132],
    [99, 126],
  ],
} as const satisfies Record<string, readonly Point[]>;

/** The base of the legs, about which the body is rotated. */
export const hip: Point = [100, 138];
const headCentre: Point = [125, 73];
export const eyeAt: Point = [133.5, 67.5];
export const billAt: Point = [149, 74.5];
export const shoulderAt: Point = [112, 98];
export const tailAt: Point = [43, 131];

const bodyCentre: Point = [96, 113];
/** The direction of the body, from the tail to the neck. */
const axis: Point = unit([76, -48]);
const across: Point = [-axis[1], axis[0]];

/** The rotation of body and head in a pose, in degrees; positive is forward and down. */
export interface Turn {
  readonly body: number;
  readonly head: number;
}

/** Maps points of the songbird to those of another bird in a pose. */
export interface Warp {
  /** Maps any point; points on the neck are interpolated between body and head. */
  readonly point: (point: Point) => Point;
  /** Maps a point of a part that belongs to the head. */
  readonly onHead: (point: Point) => Point;
  /** Maps a point of a part that belongs to the body. */
  readonly onBody: (point: Point) => Point;
}

/** Returns the mapping for a shape and a pose. */
export function createWarp(shape: Shape, turn: Turn): Warp {
  const { lean = 0, length = 1, depth = 1, head = 1, neck = 0 } = shape;
  const angle = lean + turn.body;
  const onBody = (point: Point): Point => {
    const [x, y] = minus(point, bodyCentre);
    const u = (x * axis[0] + y * axis[1]) * length;
    const v = (x * across[0] + y * across[1]) * depth;
    return rotate(plus(bodyCentre, [u * axis[0] + v * across[0], u * axis[1] + v * across[1]]), hip, angle);
  };
  const ahead = rotate([axis[0] * neck, axis[1] * neck], [0, 0], angle);
  const middle = plus(onBody(headCentre), ahead);
  // A bird keeps its head nearly level when its body leans.
  const headAngle = lean * 0.25 + turn.body * 0.75 + turn.head;
  const onHead = (point: Point): Point => {
    const [x, y] = minus(point, headCentre);
    return rotate(plus(middle, [x * head, y * head]), middle, headAngle);
  };
  const point = (given: Point): Point => {
    const [x, y] = minus(given, bodyCentre);
    const along = x * axis[0] + y * axis[1];
    const weight = smooth((along - 14) / 30);
    return mix(onBody(given), onHead(given), weight);
  };
  return { point, onHead, onBody };
}

/** Returns the SVG path of a smooth closed curve through points. */
export function closedPath(points: readonly Point[]): string {
  const at = (index: number): Point => points[(index + points.length) % points.length] as Point;
  const [first] = points;
  if (!first) return '';
  const curves = points.map((from, index) => {
    const to = at(index + 1);
    const before = at(index - 1);
    const after = at(index + 2);
    const one: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const two: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${write(one)} ${write(two)} ${write(to)}`;
  });
  return `M${write(first)}${curves.join('')}Z`;
}

/** Returns the SVG path of straight lines through points. */
export function linePath(points: readonly Point[]): string {
  return points.map((point, index) => `${index ? 'L' : 'M'}${write(point)}`).join('');
}

/** Formats a point for SVG. */
export function write([x, y]: Point): string {
  return `${tenth(x)} ${tenth(y)}`;
}

/** Rotates a point about a centre by degrees, clockwise on the screen. */
export function rotate([x, y]: Point, [cx, cy]: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos];
}

/** Interpolates linearly between two points. */
export function mix([x, y]: Point, [toX, toY]: Point, share: number): Point {
  return [x + (toX - x) * share, y + (toY - y) * share];
}

export const plus = ([x, y]: Point, [dx, dy]: Point): Point => [x + dx, y + dy];
const minus = ([x, y]: Point, [dx, dy]: Point): Point => [x - dx, y - dy];
const tenth = (value: number) => Math.round(value * 10) / 10;

function smooth(share: number): number {
  const t = Math.min(Math.max(share, 0), 1);
  return t * t * (3 - 2 * t);
}

function unit([x, y]: Point): Point {
  const length = Math.hypot(x, y);
  return [x / length, y / length];
}
