/** First and last code point of a stretch. */
export type CodeRange = readonly [number, number];

function parseRange(text: string): CodeRange {
  const [first = '', last = first] = text.trim().replace(/^U\+/i, '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

/** Reads a `unicode-range` as style sheets write it: `U+4e00-4e0d,U+4e10`. */
export function parseRanges(text: string): CodeRange[] {
  return text.split(',').map(parseRange);
}

/** Whether one of the stretches holds a code point. */
export function isInRanges(ranges: readonly CodeRange[], codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
