import { weakTag } from '@birdhub/shared/app';
import type { Answer } from './answer-store.js';

/** An answer from its JSON, as text or as the bytes of it; a `Link` to the next page counts as part of it. */
export function makeAnswer(json: string | Buffer, link?: string): Answer {
  const body = typeof json === 'string' ? Buffer.from(json) : json;
  return { body, etag: weakTag(body, link ?? ''), link };
}
