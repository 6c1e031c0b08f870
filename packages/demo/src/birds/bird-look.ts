import type { PatchName } from './anatomy.js';

/** A colour of SVG. */
export type Colour = string;

/** A field mark: a part of the plumage, its colour, and the softness of its edge, 0 to 3. */
export type Patch = readonly [name: PatchName, colour: Colour, softness?: number];

/** The shape of a bird relative to a small songbird; the default of all factors is 1. */
export interface Shape {
  /** Degrees by which the body leans forward; negative is more upright. */
  readonly lean?: number;
  /** Length of the body along its axis. */
  readonly length?: number;
  /** Depth of the body across its axis. */
  readonly depth?: number;
  /** Size of the head. */
  readonly head?: number;
  /** Distance by which the head is moved away from the body, in units of the drawing. */
  readonly neck?: number;
  readonly leg?: number;
  /** Pointed feathers of the crown, 0 to 1. */
  readonly crest?: number;
}

/** Shapes of bills: thin ones for insects, cones for seeds, chisels for wood. */
export type BillKind = 'thin' | 'cone' | 'stout' | 'chisel' | 'dove';

/** The appearance of a bird: its shape and its field marks. */
export interface BirdLook {
  /** Size in the picture; 1 is a great tit. */
  readonly size: number;
  readonly shape?: Shape;
  readonly body: Colour;
  readonly patches: readonly Patch[];
  readonly wing: {
    readonly coverts: Colour;
    readonly flight: Colour;
    /** Tips of the greater coverts. */
    readonly bar?: Colour;
    /** Tips of the median coverts. */
    readonly secondBar?: Colour;
    /** A patch along the middle of the wing. */
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
    /** Degrees by which the tail is raised. */
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
  /** Dots all over the body. */
  readonly spots?: Colour;
  /** Whether it clings to trunks instead of standing. */
  readonly clings?: boolean;
}

/** The poses in which a bird can be drawn. */
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
