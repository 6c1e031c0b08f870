import type { PostedDetection } from '@birdhub/domain/recordings';
import { type Sentence, say } from './sentences.js';
import type { DroppedEvent, UpstreamEvent } from './source-kind.js';

/** What a row or an item upstream becomes. */
export type Mapped = { readonly event: UpstreamEvent } | { readonly dropped: DroppedEvent };

/** Longest name of a species that is taken. */
const maxNameLength = 100;

/** Returns a text without blanks around it; undefined for what is none, and for an empty one. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text || undefined;
}

/** Returns a finite number, given as such or as text; undefined for all else. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const text = readText(value);
  return text !== undefined && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Returns an object's properties; none for what is no object. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Whether a text may be the name of a species: none with markup, control characters or a path. */
export function isName(text: string): boolean {
  return text.length <= maxNameLength && /\p{L}/u.test(text) && !/[<>\p{Cc}\\/]/u.test(text);
}

/** Returns the label of a species with both names, as sound classifiers write it. */
export function pairName(scientific: string | undefined, common: string | undefined): string | undefined {
  const parts = [scientific, common]
    .filter((part) => part !== undefined)
    .map((part) => part.replaceAll('_', ' '));
  return parts.length && parts.every(isName) ? parts.join('_') : undefined;
}

/** Returns the reason for dropping a bird of low confidence; undefined when it is taken. */
export function explainLowConfidence(confidence: number, min: number | undefined): Sentence | undefined {
  if (min === undefined || confidence >= min) return undefined;
  return say('low_confidence', { confidence: percent(confidence), min: percent(min) });
}

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

const frigateEventId = /^(\d{9,11}(?:\.\d{1,9})?)-[A-Za-z0-9]{1,20}$/;

/** Returns when an event of Frigate began, which its id starts with; undefined for other ids. In ms since the epoch. */
export function startOfFrigateEvent(id: string): number | undefined {
  const [, seconds] = frigateEventId.exec(id) ?? [];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}

/** Whether a text may be the id of an event of Frigate, and so a part of a path. */
export function isFrigateId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text) && !text.includes('..');
}

/** Returns a detection with what most kinds do not know left out. */
export function detectionOf(
  known: Pick<
    PostedDetection,
    'speciesName' | 'confidence' | 'startOffset' | 'endOffset' | 'source' | 'provider'
  > &
    Partial<PostedDetection>,
): PostedDetection {
  return { trackId: null, frames: [], extra: null, ...known };
}

/** Whether an instant lies in what is read. */
export function isWithin(
  instant: number,
  { since, until }: { since: number; until?: number | undefined },
): boolean {
  return instant >= since && (until === undefined || instant < until);
}

/** Sorts what was mapped into events and what was dropped, as far as it was asked for. */
export function splitMapped(
  mapped: readonly Mapped[],
  request: { readonly since: number; readonly until?: number | undefined },
): { readonly events: readonly UpstreamEvent[]; readonly dropped: readonly DroppedEvent[] } {
  const isAskedFor = (at: number | undefined) => at === undefined || isWithin(at, request);
  return {
    events: mapped.flatMap((one) => ('event' in one && isAskedFor(one.event.start) ? [one.event] : [])),
    dropped: mapped.flatMap((one) => ('dropped' in one && isAskedFor(one.dropped.at) ? [one.dropped] : [])),
  };
}
