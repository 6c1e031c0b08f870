/** Where the hub is found: its address by the settings, if any, and the path it answers below. */
export interface HubPlace {
  readonly baseUrl: string;
  readonly basePath: string;
}

const nowhere = 'http://hub.invalid';

const withoutSlash = (text: string) => text.replace(/\/+$/, '');

/** What comes after a path, when that is where it leads. */
function below(path: string, prefix: string): string | undefined {
  if (path === prefix || prefix === '') return path.slice(prefix.length) || '/';
  return /^[/?#]/.test(path.slice(prefix.length)) && path.startsWith(prefix)
    ? path.slice(prefix.length)
    : undefined;
}

/** The address of a path of the hub: whole when the hub's is known, else root-relative. */
export function addressOf({ baseUrl, basePath }: HubPlace, path: string): string {
  return `${withoutSlash(baseUrl || basePath)}${path}`;
}

function pathIn({ baseUrl, basePath }: HubPlace, given: string): string | undefined {
  const own = new URL(URL.canParse(baseUrl) ? baseUrl : `${nowhere}${basePath}`);
  if (!given.startsWith('/') && !/^https?:/i.test(given)) return undefined;
  if (!URL.canParse(given, nowhere)) return undefined;
  const url = new URL(given, nowhere);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin === nowhere && given.startsWith('/')) return below(path, withoutSlash(basePath)) ?? path;
  return url.origin === own.origin && baseUrl ? below(path, withoutSlash(own.pathname)) : undefined;
}

/**
 * The path in the hub that a text of a stranger leads to, root-relative or below the hub's own address; undefined
 * for one that leads elsewhere. Dots of `/.//host` go as a path is read, and what is left would name another host.
 */
export function ownPath(place: HubPlace, given: string): string | undefined {
  const path = pathIn(place, given);
  return path === undefined || /^\/[/\\]/.test(path) ? undefined : path;
}
