import type { Settings } from '@birdhub/domain/settings';
import type { Message } from './channel.js';
import type { VisitNews } from './news.store.js';
import { addressOf, type HubPlace, ownPath } from './own-address.js';
import { localTime } from './quiet-hours.js';

/** What messages are written with. */
export interface Writing {
  readonly settings: Settings;
  readonly place: HubPlace;
}

/** An announcement of the processor; link and path of the picture are as it gave them. */
export interface NoticeNews {
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

const recordings = /^(?:data\/)?recordings\//;

/** Pictures of species may stand elsewhere: people of the hub chose them. */
function pictureOf(place: HubPlace, url: string | null): string | null {
  if (!url || /^https?:\/\//.test(url)) return url || null;
  const path = ownPath(place, url.startsWith('/') ? url : `/${url}`);
  return path === undefined ? null : addressOf(place, path);
}

/** A path below the data folder is loaded from `/data`; other texts must lead into the hub. */
function ownImage(place: HubPlace, given: string | null): string | null {
  if (!given) return null;
  const path = ownPath(place, recordings.test(given) ? `/data/${given.replace(/^data\//, '')}` : given);
  return path === undefined ? null : addressOf(place, path);
}

/** The message with nothing that leads out of the hub but pictures of species; those stored long ago may have such. */
export function keepInHub(message: Message, place: HubPlace): Message {
  const path = ownPath(place, message.url) ?? '/timeline';
  const { icon, image } = message;
  return {
    ...message,
    url: addressOf(place, path),
    icon: pictureOf(place, icon),
    image: ownImage(place, image),
  };
}

function appName({ general }: Settings): string {
  return general.app_name || 'Birdhub';
}

/** What people are told of a visit: it leads to the recording that began it. */
export function writeVisit(visitId: number, videoId: number, visit: VisitNews, writing: Writing): Message {
  const { settings, place } = writing;
  const { speciesName, start, imageUrl, detectionId } = visit;
  return {
    key: `visit:${visitId}`,
    title: speciesName,
    body: `Here since ${localTime(settings.general.timezone, start)} · ${appName(settings)}`,
    tag: `birdhub-visit-${visitId}`,
    url: addressOf(place, `/videos/${videoId}`),
    visitId,
    icon: pictureOf(place, imageUrl),
    image: detectionId === null ? null : addressOf(place, `/api/ui/detections/${detectionId}/crop`),
    noticeId: null,
  };
}

/** What people are told of an announcement. */
export function writeNotice(notice: NoticeNews, { settings, place }: Writing): Message {
  const { noticeId, speciesName, at, link, imagePath, hasImage, imageUrl } = notice;
  const path = (link && ownPath(place, link)) || '/timeline';
  return {
    key: `notice:${noticeId}`,
    title: speciesName,
    body: `Seen at ${localTime(settings.general.timezone, at)} · ${appName(settings)}`,
    tag: `birdhub-notice-${noticeId}`,
    url: addressOf(place, path),
    visitId: null,
    icon: pictureOf(place, imageUrl),
    image: ownImage(place, imagePath),
    noticeId: hasImage ? noticeId : null,
  };
}

/** What people are told when somebody tries the channels. */
export function writeTest(at: number, { settings, place }: Writing): Message {
  return {
    key: `test:${at}`,
    title: appName(settings),
    body: `Test message of ${localTime(settings.general.timezone, at)}`,
    tag: 'birdhub-test',
    url: addressOf(place, '/'),
    visitId: null,
    icon: null,
    image: null,
    noticeId: null,
  };
}
