import type { Report } from '../report-contents.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';

const titleHeight = 38;

function leadOf({ title, span, hub, place, zone }: Report): string {
  const parts = ['Bird report', span !== title && span, place !== '' && hub, `times of ${zone}`];
  return parts.filter((part) => part !== false).join('  ·  ');
}

/** Where, when, and what this is. */
export function writeCover(sheet: Sheet, report: Report): void {
  const { doc } = sheet;
  sheet.piece('P', () => {
    const place = sheet.shorten(report.place || report.hub, frame.width, styles.place);
    sheet.set(place, frame.left, sheet.y + 8, styles.place);
  });
  sheet.y += 12;
  sheet.piece('H1', () => {
    for (const line of sheet.wrap(report.title, frame.width, styles.title, 2)) {
      sheet.y += titleHeight;
      sheet.set(line, frame.left, sheet.y - 6, styles.title);
    }
  });
  const lines = sheet.wrap(leadOf(report), frame.width, styles.lead, 3);
  sheet.piece('P', () => {
    for (const line of lines) {
      sheet.y += 16;
      sheet.set(line, frame.left, sheet.y, styles.lead);
    }
  });
  if (report.unfinished !== undefined) {
    const text = `The period is not over yet: numbers up to ${report.unfinished}.`;
    sheet.y += 16;
    sheet.piece('P', () => sheet.set(text, frame.left, sheet.y, { ...styles.lead, colour: colours.signal }));
  }
  sheet.y += 14;
  sheet.ornament(() => doc.rect(frame.left, sheet.y, frame.width, 1.5).fill(colours.accent));
  sheet.y += 1.5;
}
