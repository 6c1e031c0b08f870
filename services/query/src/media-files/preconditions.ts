import type { IncomingHttpHeaders } from 'node:http';

/** What the preconditions of RFC 9110 §13 look at. */
export interface Validators {
  readonly etag: string;
  readonly modifiedMs: number;
}

const toSeconds = (ms: number) => Math.floor(ms / 1000);

/** Whether a `Range` is to be heeded: the part that the caller has is of this very file. */
export function mayBePart(headers: IncomingHttpHeaders, { etag, modifiedMs }: Validators): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (condition.includes('"')) return condition.trim() === etag;
  return toSeconds(Date.parse(condition)) === toSeconds(modifiedMs);
}
