/** The width of a text in points. */
export type Measure = (text: string) => number;

/** A run of text in one font. */
export interface FontRun {
  readonly font: string;
  readonly text: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';
/** Characters that are removed before an ellipsis. */
const danglingEnd = /[\s,;:(/–-]+$/;
/** Line breaks are allowed after blanks and hyphens, and around characters of scripts without blanks. */
const breakable = /(?<=[\s\-–/])|(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u;

/** Splits a text into grapheme clusters. */
export function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Splits a text into runs of one font, chosen by code point; combining marks stay with their base. */
export function splitFontRuns(text: string, fontOf: (codePoint: number) => string): FontRun[] {
  const runs: { font: string; text: string }[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const font = fontOf(grapheme.codePointAt(0) ?? 0);
    const run = runs.at(-1);
    if (run?.font === font) run.text += grapheme;
    else runs.push({ font, text: grapheme });
  }
  return runs;
}

/** Returns the text, or its longest prefix that fits into a width with an ellipsis. */
export function shortenText(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  const pieces = splitGraphemes(text);
  const count = countFitting(pieces, width - measure(ellipsis), measure);
  return pieces.slice(0, count).join('').replace(danglingEnd, '') + ellipsis;
}

/** Wraps a text to lines that fit into a width; the last of at most `maxLines` is shortened. */
export function wrapText(text: string, width: number, measure: Measure, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = text.split(breakable).filter((piece) => piece !== '');
  while (rest.length && lines.length < maxLines - 1) {
    const count = Math.max(1, countFitting(rest, width, measure));
    const line = rest.slice(0, count).join('').trimEnd();
    if (measure(line) > width) break;
    lines.push(line);
    rest = rest.slice(count);
  }
  if (rest.length) lines.push(shortenText(rest.join('').trim(), width, measure));
  return lines;
}

/** Returns the number of first pieces that fit into a width together. */
function countFitting(pieces: readonly string[], width: number, measure: Measure): number {
  let [fits, tooMany] = [0, pieces.length + 1];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(pieces.slice(0, middle).join('')) <= width) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
