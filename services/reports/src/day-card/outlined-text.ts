import type { Font } from 'fontkit';
import { fontFiles } from '../monthly-report/drawing/fonts.js';
import { shortenText } from '../monthly-report/drawing/text.js';

/** The style of a text. */
export interface TextStyle {
  /** Left end of the baseline, or right end with `anchor: 'end'`. */
  readonly x: number;
  readonly y: number;
  /** In pixels. */
  readonly size: number;
  readonly colour: string;
  readonly isBold?: boolean;
  readonly anchor?: 'start' | 'end';
  /** Maximum width, to which the text is shortened. */
  readonly maxWidth?: number;
  readonly opacity?: number;
}

/** Draws texts as outlines of bundled fonts, so that the result does not depend on those of the machine. */
export class OutlinedText {
  readonly #fonts: Readonly<Record<'regular' | 'bold', Font>>;

  private constructor(fonts: Readonly<Record<'regular' | 'bold', Font>>) {
    this.#fonts = fonts;
  }

  /** Loads the fonts. */
  static async load(): Promise<OutlinedText> {
    // Loaded on demand, as few hubs share day cards.
    const { openSync } = await import('fontkit');
    return new OutlinedText({ regular: openSync(fontFiles.regular), bold: openSync(fontFiles.bold) });
  }

  /** Returns the width of a text in pixels. */
  width(text: string, { size, isBold = false }: Pick<TextStyle, 'size' | 'isBold'>): number {
    const font = this.#fonts[isBold ? 'bold' : 'regular'];
    return (font.layout(text).advanceWidth * size) / font.unitsPerEm;
  }

  /** Returns the text as an SVG group. */
  draw(text: string, style: TextStyle): string {
    const { x, y, size, colour, isBold = false, anchor = 'start', maxWidth, opacity = 1 } = style;
    const shown =
      maxWidth === undefined ? text : shortenText(text, maxWidth, (part) => this.width(part, style));
    const font = this.#fonts[isBold ? 'bold' : 'regular'];
    const { glyphs, positions, advanceWidth } = font.layout(shown);
    const scale = size / font.unitsPerEm;
    let pen = 0;
    const paths = glyphs.map((glyph, at) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {};
      const outline = glyph.path.toSVG();
      const place = `translate(${round(pen + xOffset)} ${round(yOffset)})`;
      pen += xAdvance;
      return outline === '' ? '' : `<path transform="${place}" d="${outline}"/>`;
    });
    const left = anchor === 'end' ? x - advanceWidth * scale : x;
    const transform = `translate(${round(left)} ${round(y)}) scale(${scale} ${-scale})`;
    return `<g transform="${transform}" fill="${colour}" opacity="${opacity}">${paths.join('')}</g>`;
  }
}

const round = (value: number) => Math.round(value * 100) / 100;
