import { shortenText, wrapText } from './fit-text.js';
import { frame, type TextStyle } from './theme.js';
import type { Typesetter } from './typesetter.js';

declare global {
  namespace PDFKit.Mixins {
    interface StructureElementOptions {
      /** What a heading of a table is the head of. */
      scope?: 'Column' | 'Row';
      /** Left, top, right and bottom of a figure. */
      bbox?: readonly [number, number, number, number];
    }
  }
}

/** What a piece of the page is to those who hear it read. */
type Tag = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Sect';
type TagOptions = PDFKit.Mixins.StructureElementOptions;

/** The pages of a report, written from top to bottom, everything on them tagged or marked as ornament. */
export interface Sheet extends Typesetter {
  readonly doc: PDFKit.PDFDocument;
  /** Where the next piece begins, in points from the top of the page. */
  y: number;
  /** Goes on to the next page when less than a height is left of this; answers whether it did. */
  reserve(height: number): boolean;
  /** A piece that holds others. */
  group(tag: Tag, write: () => void, options?: TagOptions): void;
  /** A piece that is drawn. */
  piece(tag: Tag, draw: () => void, options?: TagOptions): void;
  /** What is there for the eye alone. */
  ornament(draw: () => void): void;
  /** A text cut to a width. */
  shorten(text: string, width: number, style: TextStyle): string;
  /** A text in lines of a width. */
  wrap(text: string, width: number, style: TextStyle, mostLines: number): string[];
}

/** An element's content is closed before another of it begins, so pieces never hold pieces. */
export function createSheet(doc: PDFKit.PDFDocument, typesetter: Typesetter): Sheet {
  let parent = doc.struct('Document');
  doc.addStructure(parent);
  const measureIn = (style: TextStyle) => (text: string) => typesetter.measure(text, style);

  return {
    ...typesetter,
    doc,
    y: frame.top,
    reserve(height) {
      if (this.y + height <= frame.bottom) return false;
      doc.addPage();
      this.y = frame.top;
      return true;
    },
    group(tag, write, options = {}) {
      const outer = parent;
      parent = doc.struct(tag, options);
      outer.add(parent);
      write();
      parent = outer;
    },
    piece(tag, draw, options = {}) {
      const element = doc.struct(tag, options);
      parent.add(element);
      element.add(doc.markStructureContent(tag));
      draw();
      doc.endMarkedContent();
    },
    ornament(draw) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    shorten: (text, width, style) => shortenText(text, width, measureIn(style)),
    wrap: (text, width, style, mostLines) => wrapText(text, width, measureIn(style), mostLines),
  };
}
