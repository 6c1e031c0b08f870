import type { PostedDetection } from '@birdhub/domain/recordings';
import { type Sentence, say } from './sentences.js';
import type { DroppedEvent, Mapped, UpstreamEvent } from './source-kind.js';

/** Maximum length of a species name. */
const maxNameLength = 100;

/** Returns a trimmed text; undefined when it is empty or not a text. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text || undefined;
}

/** Returns a finite number, also from text; undefined for anything else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const text = readText(value);
  return text !== undefined && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Returns an object, or an empty one for anything else. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Whether a text may be the name of a species: no markup, control characters or paths. */
export function isSpeciesName(text: string): boolean {
  return text.length <= maxNameLength && /\p{L}/u.test(text) && !/[<>\p{Cc}\\/]/u.test(text);
}

/** Returns a label with both names, as written by sound classifiers. */
export function pairName(scientific: string | undefined, common: string | undefined): string | undefined {
  const parts = [scientific, common]
    .filter((part) => part !== undefined)
    .map((part) => part.replaceAll('_', ' '));
  return parts.length && parts.every(isSpeciesName) ? parts.join('_') : undefined;
}

/** Returns the reason for dropping a bird of low confidence; undefined when it is accepted. */
export function explainLowConfidence(confidence: number, min: number | undefined): Sentence | undefined {
  if (min === undefined || confidence >= min) return undefined;
  return say('low_confidence', { confidence: percent(confidence), min: percent(min) });
}

/** In per cent, rounded down to a decimal: a confidence just below the minimum does not look equal to it. */
const percent = (share: number) => Math.floor(Math.round(share * 1e6) / 1e3) / 10;

const frigateEventId = /^(\d{9,11}(?:\.\d{1,9})?)-[A-Za-z0-9]{1,20}$/;

/** Returns the start of a Frigate event from its id, in ms since the epoch; undefined for other ids. */
export function startOfFrigateEvent(id: string): number | undefined {
  const [, seconds] = frigateEventId.exec(id) ?? [];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}

/** Whether a text is a valid id of a Frigate event, and thus safe in a path. */
export function isFrigateId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text) && !text.includes('..');
}

/** Returns a detection with defaults for the properties that most kinds do not have. */
export function detectionOf(
  known: Pick<
    PostedDetection,
    'speciesName' | 'confidence' | 'startOffset' | 'endOffset' | 'source' | 'provider'
  > &
    Partial<PostedDetection>,
): PostedDetection {
  return { trackId: null, frames: [], extra: null, ...known };
}

/** Whether an instant is in the requested range. */
export function isWithin(
  instant: number,
  { since, until }: { since: number; until?: number | undefined },
): boolean {
  return instant >= since && (until === undefined || instant < until);
}

/** Splits mapped items into events and dropped ones, within the requested range. */
export function splitMapped(
  mapped: readonly Mapped[],
  request: { readonly since: number; readonly until?: number | undefined },
): { readonly events: readonly UpstreamEvent[]; readonly dropped: readonly DroppedEvent[] } {
  const isRequested = (at: number | undefined) => at === undefined || isWithin(at, request);
  return {
    events: mapped.flatMap((one) => ('event' in one && isRequested(one.event.start) ? [one.event] : [])),
    dropped: mapped.flatMap((one) => ('dropped' in one && isRequested(one.dropped.at) ? [one.dropped] : [])),
  };
}
