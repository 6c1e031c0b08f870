import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Face } from './theme.js';
import { type CodeRange, parseRanges } from './unicode-ranges.js';

const { resolve } = createRequire(import.meta.url);
const noto = '@expo-google-fonts/noto-sans';
const eastAsian = '@fontsource/noto-sans-sc';

/** Latin, Greek and Cyrillic. */
export const fontFiles: Record<Face, string> = {
  regular: resolve(`${noto}/400Regular/NotoSans_400Regular.ttf`),
  italic: resolve(`${noto}/400Regular_Italic/NotoSans_400Regular_Italic.ttf`),
  bold: resolve(`${noto}/600SemiBold/NotoSans_600SemiBold.ttf`),
};

/** Chinese and Japanese have no italics. */
const weights: Record<Face, number> = { regular: 400, italic: 400, bold: 600 };

/** One of the parts that the East Asian font comes in. */
export interface FontPart {
  readonly name: string;
  readonly ranges: readonly CodeRange[];
}

/** Which characters are in which part, so that only those parts are opened that a text needs. */
export function readEastAsianParts(): FontPart[] {
  const file = resolve(`${eastAsian}/unicode.json`);
  const ranges: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(ranges).map(([key, text]) => ({
    name: key.replaceAll(/[[\]]/g, ''),
    ranges: parseRanges(text),
  }));
}

/** The file of a part: WOFF, as PDFKit does not embed WOFF2 rightly. */
export function eastAsianFile({ name }: FontPart, face: Face): string {
  return resolve(`${eastAsian}/files/noto-sans-sc-${name}-${weights[face]}-normal.woff`);
}
