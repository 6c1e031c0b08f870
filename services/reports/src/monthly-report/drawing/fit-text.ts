import { splitGraphemes } from './font-runs.js';

/** The width of a text in points. */
export type Measure = (text: string) => number;

const ellipsis = '…';
/** What must not stand before an ellipsis. */
const danglingEnd = /[\s,;:(/–-]+$/;

/** How many of the pieces, put together, fit into a width. */
function countFitting(pieces: readonly string[], width: number, measure: Measure): number {
  let [fits, tooMany] = [0, pieces.length + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(pieces.slice(0, middle).join('')) <= width) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

/** The text, or as much of its beginning as fits into a width with an ellipsis. */
export function shortenText(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  const pieces = splitGraphemes(text);
  const count = countFitting(pieces, width - measure(ellipsis), measure);
  return pieces.slice(0, count).join('').replace(danglingEnd, '') + ellipsis;
}

/** Where a line may end: after blanks and hyphens, and around characters of scripts that are written without blanks. */
const breakable = /(?<=[\s\-–/])|(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u;

/** The text in lines that fit into a width; the last of so many at most is shortened. */
export function wrapText(text: string, width: number, measure: Measure, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = text.split(breakable).filter((piece) => piece !== '');
  while (rest.length && lines.length < mostLines - 1) {
    const count = Math.max(1, countFitting(rest, width, measure));
    const line = rest.slice(0, count).join('').trimEnd();
    if (measure(line) > width) break;
    lines.push(line);
    rest = rest.slice(count);
  }
  if (rest.length) lines.push(shortenText(rest.join('').trim(), width, measure));
  return lines;
}
