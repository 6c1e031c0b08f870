import { type ErrorDetail, type RefusalArguments, type RefusalCode, refuse } from '@birdhub/shared/errors';
import { firstInstantAt, formatInstant, parseInstant } from '@birdhub/shared/time';
import { isName, isPlainText, isPlainTextOfLines } from '../plain-text.js';
import { maxCount, maxLengths } from '../sightings/sightings.schema.js';

/** A description of a problem, for translation too. */
export type ValueProblem = Omit<ErrorDetail, 'path'>;

/** A converted value, or a description of the problem. */
export type Converted<T> = { readonly value: T } | { readonly problem: ValueProblem };

/** Describes a problem, see {@link refuse}. */
export function problemOf<Code extends RefusalCode>(
  code: Code,
  ...values: RefusalArguments<Code>
): ValueProblem {
  const { path: _, ...problem } = refuse('', code, ...values);
  return problem;
}

const shapeOf = (value: unknown) => {
  if (Array.isArray(value)) return '[…]';
  return typeof value === 'object' ? '{…}' : `${JSON.stringify(value)?.slice(0, 60)}`;
};

function toTrimmed(value: unknown): Converted<string> {
  return typeof value === 'string' || typeof value === 'number'
    ? { value: String(value).trim() }
    : { problem: problemOf('value_not_text', { value: shapeOf(value) }) };
}

/** Accepts a text or a number and trims it. */
export function toText(value: unknown, maxLength: number): Converted<string> {
  const trimmed = toTrimmed(value);
  if ('problem' in trimmed) return trimmed;
  const text = trimmed.value;
  if (text.length > maxLength) return { problem: problemOf('too_long', { limit: maxLength }) };
  return isPlainText(text) ? { value: text } : { problem: problemOf('plain_text') };
}

const halfCharacterAtEnd = /[\ud800-\udbff]$/;

/** Accepts a text with line breaks, and cuts it at the maximum length of a note. */
export function toNote(value: unknown): Converted<string> {
  const trimmed = toTrimmed(value);
  if ('problem' in trimmed) return trimmed;
  if (!isPlainTextOfLines(trimmed.value)) return { problem: problemOf('plain_text') };
  return { value: trimmed.value.slice(0, maxLengths.note).replace(halfCharacterAtEnd, '').trim() };
}

/** Accepts a text with visible characters. */
export function toName(value: unknown): Converted<string> {
  const text =
    typeof value === 'string'
      ? toText(value, maxLengths.name)
      : { problem: problemOf('value_not_text', { value: shapeOf(value) }) };
  if ('problem' in text || isName(text.value)) return text;
  return { problem: problemOf('value_invisible') };
}

const decimal = /^((?:\d{1,9}(?:[.,]\d{1,40})?|[.,]\d{1,40})(?:e[+-]?\d{1,3})?)\s*(%?)$/i;
/** From here on a number is a percentage; from 1 up to here it counts as 1, as detectors round up. */
const minPercentage = 1.01;

/** Accepts 0.93, 93 and "93%". 1 means 100 %, while "1%" means 0.01. */
export function toConfidence(value: unknown): Converted<number> {
  const [, digits, percent] = decimal.exec(String(value).trim()) ?? [];
  const isNumber = typeof value === 'number' || typeof value === 'string';
  if (!isNumber || digits === undefined)
    return { problem: problemOf('value_not_confidence', { value: shapeOf(value) }) };
  const number = Number(digits.replace(',', '.'));
  const confidence = percent || number >= minPercentage ? number / 100 : number;
  return confidence < minPercentage
    ? { value: Math.min(confidence, 1) }
    : { problem: problemOf('value_above_certain', { value: shapeOf(value) }) };
}

/** A local date and time without an offset; seconds are optional. */
const local = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?$/i;
/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const minMilliseconds = 1e11;

/** Accepts RFC 3339, Unix seconds and Unix milliseconds. A time without an offset is local time in `zone`. */
export function toInstantText(value: unknown, zone: string): Converted<string> {
  const text = typeof value === 'string' ? value.trim() : value;
  const instant = typeof text === 'string' ? readInstant(text, zone) : fromUnix(text);
  if (instant === undefined) return { problem: problemOf('value_not_time', { value: shapeOf(value) }) };
  return { value: formatInstant(instant) };
}

function readInstant(text: string, zone: string): number | undefined {
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return fromUnix(Number(text));
  const [, day, minute, second = ':00'] = local.exec(text) ?? [];
  if (day === undefined) return parseInstant(text);
  const wallClock = parseInstant(`${day}T${minute}${second}Z`);
  return wallClock === undefined ? undefined : firstInstantAt(zone, wallClock);
}

function fromUnix(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  const instant = Math.round(value < minMilliseconds ? value * 1000 : value);
  return instant < 1e14 ? instant : undefined;
}

/** Accepts integers, also as text such as "2.0". */
export function toCount(value: unknown): Converted<number> {
  const isWhole = /^\d{1,4}(?:\.0{1,9})?$/.test(String(value).trim()) && Number(value) >= 1;
  if (!isWhole) return { problem: problemOf('value_not_count', { value: shapeOf(value) }) };
  return Number(value) <= maxCount
    ? { value: Number(value) }
    : { problem: problemOf('too_many', { limit: maxCount }) };
}

/** The picture of a sighting. */
export type Picture = { readonly image_url: string } | { readonly image_base64: string };

/** Accepts an http(s) address, base64 and data URLs. */
export function toPicture(value: unknown): Converted<Picture> {
  if (typeof value !== 'string') return { problem: problemOf('value_not_text', { value: shapeOf(value) }) };
  const text = value.trim();
  if (/^https?:\/\//i.test(text)) {
    return URL.canParse(text) && text.length <= maxLengths.imageUrl
      ? { value: { image_url: text } }
      : { problem: problemOf('value_not_address') };
  }
  const isBase64 = /^(?:data:image\/[a-z+.-]{1,40};base64,)?[\w+/=\s-]{16,}$/.test(text);
  return isBase64 ? { value: { image_base64: text } } : { problem: problemOf('value_not_picture') };
}
