import type { Change } from '@birdhub/shared/db';

/** A closed span of time in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What an answer was made of, so that a change is known to touch it or not. */
export interface Scope {
  /** Recordings and visits of a span, or all there are. */
  readonly recordings?: Span | 'all';
  readonly species?: true;
  readonly settings?: true;
  readonly weather?: true;
  readonly foods?: true;
}

/** Detections may reach a minute past their recording, and gaps make visits touch what lies beside them. */
const marginMs = 120_000;

/** Whether an answer of this scope may be another one after the change. */
export function isTouched({ recordings, ...whole }: Scope, change: Change): boolean {
  if (change.kind === 'everything') return true;
  if (change.kind !== 'recordings') return whole[change.kind] === true;
  if (recordings === undefined || recordings === 'all') return recordings === 'all';
  return change.from <= recordings.to + marginMs && change.to >= recordings.from - marginMs;
}
