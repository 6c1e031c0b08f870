import { eastAsianFile, type FontPart, fontFiles, isInRanges, readEastAsianParts } from './fonts.js';
import { splitFontRuns } from './text.js';
import type { Face, TextStyle } from './theme.js';

/** Where a text is in relation to its x coordinate: `left` begins there, `right` ends there. */
export type Alignment = 'left' | 'centre' | 'right';

/** The share of a text's width that lies before its x coordinate. */
const sharesBefore: Record<Alignment, number> = { left: 0, centre: 0.5, right: 1 };

/** The first code point that the Latin font never has. */
const firstEastAsian = 0x2e80;

/** A line break or tabulator in a name would break the line of the page. */
const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Measures and sets single lines of text in any script; a font is opened when it is first needed. */
export class Typesetter {
  readonly doc: PDFKit.PDFDocument;
  #eastAsianParts: readonly FontPart[] | undefined;

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
  }

  /** The width in points. */
  measure(text: string, style: TextStyle): number {
    return this.#runsOf(text, style).reduce((sum, { width }) => sum + width, 0);
  }

  /** Sets a line on a baseline. */
  set(text: string, x: number, baseline: number, style: TextStyle, alignment: Alignment = 'left'): void {
    const runs = this.#runsOf(text, style);
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    let at = x - width * sharesBefore[alignment];
    this.doc.fillColor(style.colour);
    for (const run of runs) {
      this.doc.font(run.font).fontSize(style.size);
      this.doc.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
      at += run.width;
    }
  }

  #runsOf(text: string, { face, size }: TextStyle) {
    return splitFontRuns(toOneLine(text), (codePoint) => this.#fontOf(face, codePoint)).map((run) => ({
      ...run,
      width: this.doc.font(run.font).fontSize(size).widthOfString(run.text),
    }));
  }

  #fontOf(face: Face, codePoint: number): string {
    if (codePoint < firstEastAsian) return fontFiles[face];
    this.#eastAsianParts ??= readEastAsianParts();
    const part = this.#eastAsianParts.find(({ ranges }) => isInRanges(ranges, codePoint));
    return part ? eastAsianFile(part, face) : fontFiles[face];
  }
}
