import { createHash } from 'node:crypto';

const tags = /(?:W\/)?"([^"]*)"/g;

const listTags = (header: string) => [...header.matchAll(tags)].map(([, tag = '']) => tag);

/** A weak entity tag that begins with the version; the rest tells apart what the same version was shown as. */
export function settingsTag(version: number, body: string): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return `W/"${version}.${digest}"`;
}

/** Whether an `If-None-Match` names a tag. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.trim() === '*' || listTags(ifNoneMatch ?? '').includes(listTags(tag)[0] ?? '');
}

/** The versions that an `If-Match` allows; undefined when it allows any. */
export function versionsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return listTags(ifMatch).flatMap((tag) => (/^\d+(\.|$)/.test(tag) ? [Number.parseInt(tag, 10)] : []));
}
