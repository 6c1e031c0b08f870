import { StringDecoder } from 'node:string_decoder';

/** Bytes of a line that are shown; the rest of a longer one is cut. */
export const longestLine = 4_096;

/** Controls but the tab, and what turns the direction of text or breaks lines: a log may hold what a stranger sent. */
const unsafe = /(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function escapeControls(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

/** A line of a log as it may be shown; bytes that are no UTF-8 become U+FFFD. */
export function showBytes(line: Buffer, isCut: boolean): string {
  const decoder = new StringDecoder('utf8');
  // Half a character at the cut stays in the decoder.
  const text = decoder.write(line);
  return isCut ? `${escapeControls(text)}…` : escapeControls((text + decoder.end()).replace(/\r$/, ''));
}

/** The same for a line that is text already. */
export function showText(line: string): string {
  const bytes = Buffer.from(line);
  return showBytes(bytes.subarray(0, longestLine), bytes.length > longestLine);
}
