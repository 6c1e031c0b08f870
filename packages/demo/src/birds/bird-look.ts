import type { PatchName } from './anatomy.js';

/** A colour of SVG. */
export type Colour = string;

/** A field mark: a part of the plumage, its colour, and how soft its edge is. */
export type Patch = readonly [name: PatchName, colour: Colour, softness?: number];

/** The shape of a bird, as differences from a small songbird (1 is the same). */
export interface Shape {
  /** Degrees by which the body leans forward; negative is more upright. */
  readonly lean?: number;
  /** Of the body, along its axis and across it. */
  readonly length?: number;
  readonly depth?: number;
  /** Size of the head, and how far it is ahead of the body. */
  readonly head?: number;
  readonly neck?: number;
  readonly leg?: number;
  /** Pointed feathers of the crown, 0 to 1. */
  readonly crest?: number;
}

/** How a bill is built: a thin one picks insects, a cone cracks seeds, a chisel wood. */
export type BillKind = 'thin' | 'cone' | 'stout' | 'chisel' | 'dove';

/** Everything that tells a bird: its shape and its field marks. */
export interface BirdLook {
  /** Size on the picture: 1 is a great tit. */
  readonly size: number;
  readonly shape?: Shape;
  readonly body: Colour;
  readonly patches: readonly Patch[];
  readonly wing: {
    readonly coverts: Colour;
    readonly flight: Colour;
    /** Tips of the greater and of the median coverts. */
    readonly bar?: Colour;
    readonly secondBar?: Colour;
    /** A field along the middle of the wing. */
    readonly panel?: Colour;
    readonly primaries?: Colour;
    readonly edge?: Colour;
    /** Dots or bars across the flight feathers. */
    readonly barred?: Colour;
  };
  readonly tail: {
    readonly colour: Colour;
    readonly length?: number;
    readonly width?: number;
    readonly outer?: Colour;
    readonly tip?: Colour;
    readonly fork?: number;
    /** Degrees that it is held up. */
    readonly cocked?: number;
    readonly barred?: Colour;
  };
  readonly bill: {
    readonly kind: BillKind;
    readonly colour: Colour;
    readonly lower?: Colour;
    readonly length?: number;
    readonly depth?: number;
  };
  readonly legs: Colour;
  readonly eye?: { readonly colour?: Colour; readonly ring?: Colour; readonly size?: number };
  /** Short strokes on the breast and flanks. */
  readonly streaks?: Colour;
  /** Dots on the whole body. */
  readonly spots?: Colour;
  /** Whether it clings to trunks instead of standing. */
  readonly clings?: boolean;
}

/** What a bird does in one picture. */
export const poses = [
  'stand',
  'look',
  'alert',
  'peck',
  'dip',
  'hop',
  'wings-up',
  'wings-down',
  'glide',
] as const;

/** One of {@link poses}. */
export type Pose = (typeof poses)[number];
