import type { Settings } from '@birdhub/domain/settings';
import { localStamp } from '@birdhub/shared/time';
import type { Message } from '../channels/channel.js';
import type { VisitDetails } from './notifications.store.js';

/** The address of the hub by the settings, if any, and the path that it is served below. */
export interface HubBase {
  readonly baseUrl: string;
  readonly basePath: string;
}

/** What messages are written with. */
export interface MessageContext {
  readonly settings: Settings;
  readonly base: HubBase;
}

/** A notice of a processor that a bird is there; `link` and `imagePath` as it sent them. */
export interface NoticeDetails {
  readonly noticeId: string;
  readonly speciesName: string;
  /** ms since the epoch */
  readonly at: number;
  readonly link: string | null;
  readonly imagePath: string | null;
  readonly hasImage: boolean;
  /** Picture of the species. */
  readonly imageUrl: string | null;
}

const recordingsPath = /^(?:data\/)?recordings\//;
/** Base of root-relative addresses, to have them parsed. */
const placeholderOrigin = 'http://hub.invalid';

/** Returns the message of a visit, with a link to the recording that started it. */
export function visitMessage(
  visitId: number,
  videoId: number,
  visit: VisitDetails,
  { settings, base }: MessageContext,
): Message {
  const { speciesName, start, imageUrl, detectionId } = visit;
  return {
    key: `visit:${visitId}`,
    title: speciesName,
    body: `Here since ${localTime(settings.general.timezone, start)} · ${appName(settings)}`,
    tag: `birdhub-visit-${visitId}`,
    url: addressOf(base, `/videos/${videoId}`),
    visitId,
    icon: speciesPicture(base, imageUrl),
    image: detectionId === null ? null : addressOf(base, `/api/ui/detections/${detectionId}/crop`),
    noticeId: null,
  };
}

/** Returns the message of a detection notice. */
export function noticeMessage(notice: NoticeDetails, { settings, base }: MessageContext): Message {
  const { noticeId, speciesName, at, link, imagePath, hasImage, imageUrl } = notice;
  const path = (link && ownPath(base, link)) || '/timeline';
  return {
    key: `notice:${noticeId}`,
    title: speciesName,
    body: `Seen at ${localTime(settings.general.timezone, at)} · ${appName(settings)}`,
    tag: `birdhub-notice-${noticeId}`,
    url: addressOf(base, path),
    visitId: null,
    icon: speciesPicture(base, imageUrl),
    image: ownPicture(base, imagePath),
    noticeId: hasImage ? noticeId : null,
  };
}

/** Returns the message that channels are tested with. */
export function testMessage(at: number, { settings, base }: MessageContext): Message {
  return {
    key: `test:${at}`,
    title: appName(settings),
    body: `Test message of ${localTime(settings.general.timezone, at)}`,
    tag: 'birdhub-test',
    url: addressOf(base, '/'),
    visitId: null,
    icon: null,
    image: null,
    noticeId: null,
  };
}

/** Returns the message without links out of the hub, except pictures of species. Old stored messages may have some. */
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

function appName({ general }: Settings): string {
  return general.app_name || 'Birdhub';
}

/** Returns the local time as `14:05`. */
export function localTime(zone: string, instant: number): string {
  const stamp = localStamp(zone, instant);
  return `${stamp.slice(11, 13)}:${stamp.slice(13, 15)}`;
}

/** Pictures of species may be on other hosts: administrators chose them. */
function speciesPicture(base: HubBase, url: string | null): string | null {
  if (!url || /^https?:\/\//.test(url)) return url || null;
  const path = ownPath(base, url.startsWith('/') ? url : `/${url}`);
  return path === undefined ? null : addressOf(base, path);
}

/** A path below the data folder is served at `/data`; other addresses must be the hub's. */
function ownPicture(base: HubBase, given: string | null): string | null {
  if (!given) return null;
  const isRecording = recordingsPath.test(given);
  const path = ownPath(base, isRecording ? `/data/${given.replace(/^data\//, '')}` : given);
  return path === undefined ? null : addressOf(base, path);
}

/** Returns the address of a path of the hub: absolute when the hub's address is known, else root-relative. */
export function addressOf({ baseUrl, basePath }: HubBase, path: string): string {
  return `${withoutTrailingSlash(baseUrl || basePath)}${path}`;
}

/**
 * Returns the path in the hub of an untrusted address that is root-relative or below the hub's own address; undefined
 * for any other. Normalising removes the dots of `/.//host`, and the rest would name another host.
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

/** Returns the rest of a path after a prefix; undefined when it is not below the prefix. */
function pathBelow(path: string, prefix: string): string | undefined {
  if (path === prefix || prefix === '') return path.slice(prefix.length) || '/';
  const rest = path.slice(prefix.length);
  return path.startsWith(prefix) && /^[/?#]/.test(rest) ? rest : undefined;
}

function withoutTrailingSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
