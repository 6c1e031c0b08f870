import type { Change } from '@birdhub/shared/db';

/** A closed span of time in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a response was made of: a change of it invalidates the response. */
export interface CacheTags {
  /** Recordings and visits of a span, or all there are. */
  readonly recordings?: Span | 'all';
  readonly species?: true;
  readonly settings?: true;
  readonly weather?: true;
  readonly foods?: true;
}

/** Detections may reach a minute past their recording, and gaps make visits touch what lies beside them. */
const marginMs = 120_000;

/** Whether a change may have changed a response with these tags. */
export function isInvalidatedBy({ recordings, ...whole }: CacheTags, change: Change): boolean {
  if (change.kind === 'everything') return true;
  if (change.kind === 'tokens') return false;
  if (change.kind !== 'recordings') return whole[change.kind] === true;
  if (recordings === undefined || recordings === 'all') return recordings === 'all';
  return change.from <= recordings.to + marginMs && change.to >= recordings.from - marginMs;
}
