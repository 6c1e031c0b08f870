import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Face } from './theme.js';

const { resolve } = createRequire(import.meta.url);
const noto = '@expo-google-fonts/noto-sans';
const eastAsian = '@fontsource/noto-sans-sc';

/** Latin, Greek and Cyrillic. */
export const fontFiles: Record<Face, string> = {
  regular: resolve(`${noto}/400Regular/NotoSans_400Regular.ttf`),
  italic: resolve(`${noto}/400Regular_Italic/NotoSans_400Regular_Italic.ttf`),
  bold: resolve(`${noto}/600SemiBold/NotoSans_600SemiBold.ttf`),
};

/** Chinese and Japanese do not use italics. */
const eastAsianWeights: Record<Face, number> = { regular: 400, italic: 400, bold: 600 };

/** First and last code point of a range. */
type CodeRange = readonly [number, number];

/** A part of the East Asian font. */
export interface FontPart {
  readonly name: string;
  readonly ranges: readonly CodeRange[];
}

/** Reads the characters of each part, so that only required parts are opened. */
export function readEastAsianParts(): FontPart[] {
  const file = resolve(`${eastAsian}/unicode.json`);
  const ranges: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(ranges).map(([key, text]) => ({
    name: key.replaceAll(/[[\]]/g, ''),
    ranges: parseRanges(text),
  }));
}

/** Returns the file of a part: WOFF, as PDFKit does not embed WOFF2 correctly. */
export function eastAsianFile({ name }: FontPart, face: Face): string {
  return resolve(`${eastAsian}/files/noto-sans-sc-${name}-${eastAsianWeights[face]}-normal.woff`);
}

/** Parses a CSS `unicode-range`: `U+4e00-4e0d,U+4e10`. */
export function parseRanges(text: string): CodeRange[] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

/** Whether one of the ranges contains a code point. */
export function isInRanges(ranges: readonly CodeRange[], codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
