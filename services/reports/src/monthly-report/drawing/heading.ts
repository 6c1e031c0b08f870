import type { Sheet } from './sheet.js';
import { frame, styles, type TextStyle } from './theme.js';

const lineHeight = 12.5;

/** A paragraph in so many lines at most; small print unless said otherwise. */
export function writeNote(sheet: Sheet, text: string, mostLines = 6, style: TextStyle = styles.note): void {
  const lines = sheet.wrap(text, frame.width, style, mostLines);
  sheet.reserve(lines.length * lineHeight);
  sheet.piece('P', () => {
    for (const line of lines) {
      sheet.y += lineHeight;
      sheet.set(line, frame.left, sheet.y - 3, style);
    }
  });
}

/** The heading of a section; stays on one page with `height` points of what follows. */
export function writeHeading(sheet: Sheet, text: string, height: number): void {
  const isNewPage = sheet.reserve(height + 40);
  if (!isNewPage && sheet.y > frame.top) sheet.y += 26;
  sheet.doc.outline.addItem(text);
  sheet.piece('H2', () => sheet.set(text, frame.left, sheet.y + 11, styles.section));
  sheet.y += 18;
}
