/** Types of the used part of fontkit, which has none. */
declare module 'fontkit' {
  interface Glyph {
    readonly id: number;
    readonly path: { toSVG(): string };
  }

  interface GlyphPosition {
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }

  interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
    readonly advanceWidth: number;
  }

  interface Font {
    readonly unitsPerEm: number;
    layout(text: string): GlyphRun;
  }

  export function openSync(file: string): Font;
}
