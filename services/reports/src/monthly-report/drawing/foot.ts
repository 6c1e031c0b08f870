import type { Report } from '../report-contents.js';
import type { Sheet } from './sheet.js';
import { frame, styles } from './theme.js';

/** Writes what stands at the foot of every page, when it is known how many there are. */
export function writeFeet(sheet: Sheet, { title, hub, place }: Report): void {
  const { doc } = sheet;
  const { count } = doc.bufferedPageRange();
  const text = sheet.shorten(`${title}  ·  ${place || hub}`, frame.width - 60, styles.note);
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page);
    doc.markContent('Artifact', { type: 'Pagination', attached: ['Bottom'] });
    sheet.set(text, frame.left, frame.foot, styles.note);
    sheet.set(`${page + 1} / ${count}`, frame.right, frame.foot, styles.note, 'right');
    doc.endMarkedContent();
  }
}
