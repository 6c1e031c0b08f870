import type { ReportFormat } from '../format.js';
import { eastAsianFile, type FontPart, fontFiles, isInRanges, readEastAsianParts } from './fonts.js';
import { shortenText, splitFontRuns, wrapText } from './text.js';
import { type Face, frame, styles, type TextStyle } from './theme.js';

declare global {
  namespace PDFKit.Mixins {
    interface StructureElementOptions {
      /** Scope of a header cell. */
      scope?: 'Column' | 'Row';
      /** Bounding box of a figure: left, top, right, bottom. */
      bbox?: readonly [number, number, number, number];
    }
  }
}

/** The role of an element for screen readers. */
type Tag = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Sect';
type TagOptions = PDFKit.Mixins.StructureElementOptions;

const noteLineHeight = 12.5;

/** Alignment of a text at its x coordinate: `left` begins there, `right` ends there. */
type Alignment = 'left' | 'centre' | 'right';

/** The share of a text's width to the left of its x coordinate. */
const sharesBefore: Record<Alignment, number> = { left: 0, centre: 0.5, right: 1 };

/** The first code point that the Latin font does not contain. */
const firstEastAsian = 0x2e80;

/** A line break or tab in a name would break the layout. */
const toOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** The pages of a report, written from top to bottom; all content is tagged or marked as an artifact. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly format: ReportFormat;
  /** Top of the next element, in points from the top of the page. */
  y: number = frame.top;
  #parent: PDFKit.PDFStructureElement;
  #eastAsianParts: readonly FontPart[] | undefined;

  constructor(doc: PDFKit.PDFDocument, format: ReportFormat) {
    this.doc = doc;
    this.format = format;
    this.#parent = doc.struct('Document');
    doc.addStructure(this.#parent);
  }

  /** Begins a new page when less than `height` is left on this one; returns whether it did. */
  reserve(height: number): boolean {
    if (this.y + height <= frame.bottom) return false;
    this.doc.addPage();
    this.y = frame.top;
    return true;
  }

  /** Writes an element that contains others. */
  group(tag: Tag, write: () => void, options: TagOptions = {}): void {
    const outer = this.#parent;
    this.#parent = this.doc.struct(tag, options);
    outer.add(this.#parent);
    write();
    this.#parent = outer;
  }

  /** Writes an element with drawn content; these cannot be nested. */
  element(tag: Tag, draw: () => void, options: TagOptions = {}): void {
    const element = this.doc.struct(tag, options);
    this.#parent.add(element);
    element.add(this.doc.markStructureContent(tag));
    draw();
    this.doc.endMarkedContent();
  }

  /** Draws decoration, which screen readers skip. */
  artifact(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  /** Returns the width of a line in points. */
  measure(text: string, style: TextStyle): number {
    return this.#runsOf(text, style).reduce((sum, { width }) => sum + width, 0);
  }

  /** Writes a line on a baseline, in any script; fonts are opened on demand. */
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

  /** Shortens a text to a width. */
  shorten(text: string, width: number, style: TextStyle): string {
    return shortenText(text, width, (part) => this.measure(part, style));
  }

  /** Wraps a text to lines of a width. */
  wrap(text: string, width: number, style: TextStyle, maxLines: number): string[] {
    return wrapText(text, width, (part) => this.measure(part, style), maxLines);
  }

  /** Writes the heading of a section, on the same page as `height` points of its content. */
  heading(text: string, height: number): void {
    const isNewPage = this.reserve(height + 40);
    if (!isNewPage && this.y > frame.top) this.y += 26;
    this.doc.outline.addItem(text);
    this.element('H2', () => this.set(text, frame.left, this.y + 11, styles.section));
    this.y += 18;
  }

  /** Writes a paragraph of at most `maxLines`; small print unless another style is given. */
  note(text: string, maxLines = 6, style: TextStyle = styles.note): void {
    const lines = this.wrap(text, frame.width, style, maxLines);
    this.reserve(lines.length * noteLineHeight);
    this.element('P', () => {
      for (const line of lines) {
        this.y += noteLineHeight;
        this.set(line, frame.left, this.y - 3, style);
      }
    });
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
