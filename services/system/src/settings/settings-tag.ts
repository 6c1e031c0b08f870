import { weakTag } from '@birdhub/shared/app';

const tags = /(?:W\/)?"([^"]*)"/g;

/** A weak entity tag that begins with the version; the rest tells apart what the same version was shown as. */
export function settingsTag(version: number, body: string): string {
  return weakTag(body).replace('"', `"${version}.`);
}

/** The versions that an `If-Match` allows; undefined when it allows any. */
export function versionsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const named = [...ifMatch.matchAll(tags)].map(([, tag = '']) => tag);
  return named.filter((tag) => /^\d+(\.|$)/.test(tag)).map((tag) => Number.parseInt(tag, 10));
}
