import type { Answer } from './answer-store.js';
import { weakTag } from './entity-tag.js';

/** An answer from its JSON text; a `Link` to the next page counts as part of it. */
export function makeAnswer(json: string, link?: string): Answer {
  const body = Buffer.from(json);
  return { body, etag: weakTag(body, link ?? ''), link };
}
