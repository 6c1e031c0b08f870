import type { IncomingHttpHeaders } from 'node:http';
import { isNamedBy } from '@birdhub/shared/app';

/** What the preconditions of RFC 9110 §13 look at. */
export interface Validators {
  readonly etag: string;
  readonly modifiedMs: number;
}

const toSeconds = (ms: number) => Math.floor(ms / 1000);

/** Whether the caller has the file already. */
export function isUnmodified(headers: IncomingHttpHeaders, { etag, modifiedMs }: Validators): boolean {
  const named = headers['if-none-match'];
  if (named !== undefined) return isNamedBy(named, etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return toSeconds(modifiedMs) <= toSeconds(since);
}

/** Whether a `Range` is to be heeded: the part that the caller has is of this very file. */
export function mayBePart(headers: IncomingHttpHeaders, { etag, modifiedMs }: Validators): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (condition.includes('"')) return condition.trim() === etag;
  return toSeconds(Date.parse(condition)) === toSeconds(modifiedMs);
}
