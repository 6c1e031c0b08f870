import type { Message } from './channel.js';

/** The address of the hub in the settings, if any, and its base path. */
export interface HubBase {
  readonly baseUrl: string;
  readonly basePath: string;
}

const recordingsPath = /^(?:data\/)?recordings\//;
/** Base for parsing root-relative addresses. */
const placeholderOrigin = 'http://hub.invalid';

/** Removes links to other hosts from a message, except pictures of species. Old stored messages may have some. */
export function withoutForeignLinks(message: Message, base: HubBase): Message {
  const path = ownPath(base, message.url) ?? '/timeline';
  const { icon, image } = message;
  return {
    ...message,
    url: addressOf(base, path),
    icon: speciesPicture(base, icon),
    image: ownPicture(base, image),
  };
}

/** Pictures of species may be on other hosts, as administrators chose them. */
export function speciesPicture(base: HubBase, url: string | null): string | null {
  if (!url || /^https?:\/\//.test(url)) return url || null;
  const path = ownPath(base, url.startsWith('/') ? url : `/${url}`);
  return path === undefined ? null : addressOf(base, path);
}

/** Resolves a picture path: paths below the data folder are served at `/data`; other addresses must be the hub's. */
export function ownPicture(base: HubBase, given: string | null): string | null {
  if (!given) return null;
  const isRecording = recordingsPath.test(given);
  const path = ownPath(base, isRecording ? `/data/${given.replace(/^data\//, '')}` : given);
  return path === undefined ? null : addressOf(base, path);
}

/** Returns the URL of a path of the hub: absolute if the hub's address is known, else root-relative. */
export function addressOf({ baseUrl, basePath }: HubBase, path: string): string {
  return `${withoutTrailingSlash(baseUrl || basePath)}${path}`;
}

/**
 * Returns the path of an untrusted address that is root-relative or below the hub's address; undefined for others.
 * Guards against `/.//host`, which normalises to another host.
 */
export function ownPath(base: HubBase, given: string): string | undefined {
  const path = pathIn(base, given);
  return path === undefined || /^\/[/\\]/.test(path) ? undefined : path;
}

function pathIn({ baseUrl, basePath }: HubBase, given: string): string | undefined {
  const own = new URL(URL.canParse(baseUrl) ? baseUrl : `${placeholderOrigin}${basePath}`);
  if (!given.startsWith('/') && !/^https?:/i.test(given)) return undefined;
  if (!URL.canParse(given, placeholderOrigin)) return undefined;
  const url = new URL(given, placeholderOrigin);
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin === placeholderOrigin && given.startsWith('/'))
    return pathBelow(path, withoutTrailingSlash(basePath)) ?? path;
  return url.origin === own.origin && baseUrl
    ? pathBelow(path, withoutTrailingSlash(own.pathname))
    : undefined;
}

/** Returns the part of a path below a prefix; undefined for other paths. */
function pathBelow(path: string, prefix: string): string | undefined {
  if (path === prefix || prefix === '') return path.slice(prefix.length) || '/';
  const rest = path.slice(prefix.length);
  return path.startsWith(prefix) && /^[/?#]/.test(rest) ? rest : undefined;
}

function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
