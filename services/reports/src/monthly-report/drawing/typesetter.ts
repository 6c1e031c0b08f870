import { eastAsianFile, type FontPart, fontFiles, readEastAsianParts } from './font-files.js';
import { splitFontRuns } from './font-runs.js';
import type { Face, TextStyle } from './theme.js';
import { isInRanges } from './unicode-ranges.js';

/** Below lie the scripts that the faces have, from here on those of East Asia. */
const firstEastAsian = 0x2e80;

/** How a text stands to its point: behind it, around or before it. */
export type Alignment = 'left' | 'centre' | 'right';

/** Measures and sets single lines of text in whatever script. */
export interface Typesetter {
  /** The width in points. */
  measure(text: string, style: TextStyle): number;
  /** Sets a line on a baseline. */
  set(text: string, x: number, baseline: number, style: TextStyle, alignment?: Alignment): void;
}

const shares: Record<Alignment, number> = { left: 0, centre: 0.5, right: 1 };

/** A line break or tabulator in a name would break the line of the page. */
const inOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Sets text into a document; a font is opened when it is first needed. */
export function createTypesetter(doc: PDFKit.PDFDocument): Typesetter {
  let parts: readonly FontPart[] | undefined;

  function fileOf(face: Face, codePoint: number): string {
    if (codePoint < firstEastAsian) return fontFiles[face];
    parts ??= readEastAsianParts();
    const part = parts.find(({ ranges }) => isInRanges(ranges, codePoint));
    return part ? eastAsianFile(part, face) : fontFiles[face];
  }

  function runsOf(text: string, { face, size }: TextStyle) {
    return splitFontRuns(inOneLine(text), (codePoint) => fileOf(face, codePoint)).map((run) => ({
      ...run,
      width: doc.font(run.font).fontSize(size).widthOfString(run.text),
    }));
  }

  return {
    measure: (text, style) => runsOf(text, style).reduce((sum, { width }) => sum + width, 0),
    set(text, x, baseline, style, alignment = 'left') {
      const runs = runsOf(text, style);
      const width = runs.reduce((sum, run) => sum + run.width, 0);
      let at = x - width * shares[alignment];
      doc.fillColor(style.colour);
      for (const run of runs) {
        doc.font(run.font).fontSize(style.size);
        doc.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
        at += run.width;
      }
    },
  };
}
