import { clockFormat, fillText, pluralText, speciesNameIn } from '@birdhub/domain/language';
import { hubName, type Settings } from '@birdhub/domain/settings';
import { daysBetween, localDay, localTime } from '@birdhub/shared/time';
import { addressOf, type HubBase, ownPath, ownPicture, speciesPicture } from '../channels/hub-links.js';
import type { Message } from '../channels/index.js';
import type { StoredRule } from './alert-rule.js';
import type { OutdatedMessage } from './corrections.store.js';
import type { Bird, BirdHistory } from './evaluate-rule.js';
import { fillTemplate, type TemplateValues } from './message-template.js';
import { messageTextsOf } from './message-texts.js';
import type { VisitDetails } from './visit-details.store.js';

/** The context of messages. */
export interface MessageContext {
  readonly settings: Settings;
  readonly base: HubBase;
}

/** A detection notice of a processor; `link` and `imagePath` are untrusted. */
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

/** Returns the time of day of an instant: `15:03`, or `3:03 PM` on a hub with a clock of 12 hours. */
export function clockTime({ general }: Settings, instant: number): string {
  const { timezone, time_format } = general;
  if (time_format !== '12h') return localTime(timezone, instant);
  // Not every channel displays the narrow space before AM and PM.
  return clockFormat(general.language, timezone, time_format).format(instant).replace('\u202F', ' ');
}

/** Returns the message of a visit, with a link to its first recording. */
export function visitMessage(
  visitId: number,
  videoId: number,
  visit: Pick<VisitDetails, 'speciesName' | 'start' | 'imageUrl' | 'detectionId' | 'cameraId'>,
  { settings, base }: MessageContext,
): Message {
  const { speciesName, start, imageUrl, detectionId, cameraId } = visit;
  const { language, texts } = messageTextsOf(settings);
  const time = clockTime(settings, start);
  return {
    kind: 'bird',
    videoId,
    detectionId,
    camera: cameraId,
    species: speciesName,
    clip: addressOf(base, `/api/ui/videos/${videoId}/stream`),
    key: `visit:${visitId}`,
    title: speciesNameIn(language, speciesName),
    body: `${fillText(texts.hereSince, { time })} · ${hubName(settings)}`,
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
  const { language, texts } = messageTextsOf(settings);
  const time = clockTime(settings, at);
  return {
    kind: 'bird',
    species: speciesName,
    key: `notice:${noticeId}`,
    title: speciesNameIn(language, speciesName),
    body: `${fillText(texts.seenAt, { time })} · ${hubName(settings)}`,
    tag: `birdhub-notice-${noticeId}`,
    url: addressOf(base, path),
    visitId: null,
    icon: speciesPicture(base, imageUrl),
    image: ownPicture(base, imagePath),
    noticeId: hasImage ? noticeId : null,
  };
}

/** Further details of a bird for messages. */
export interface BirdDetails {
  readonly speciesName: string;
  readonly scientificName: string | null;
  readonly cameraId: string | null;
  readonly sourceName: string | null;
  readonly confidence: number | null;
  readonly count: number;
}

/** The context of a rule's message. */
export interface RuleMessageContext extends MessageContext {
  readonly bird: Pick<Bird, 'at'>;
  readonly history: Pick<BirdHistory, 'previousAt'>;
}

/** Returns the message of a bird for a rule: by its template, or with the reason of the rule. */
export function ruleMessage(
  message: Message,
  rule: StoredRule,
  details: BirdDetails,
  { settings, bird, history }: RuleMessageContext,
): Message {
  const tagged = { ...message, ruleId: rule.id, tags: [rule.when] };
  if (!rule.template.trim()) {
    const reason = reasonOf(rule, settings);
    return reason ? { ...tagged, body: `${reason} · ${message.body}` } : tagged;
  }
  const values = valuesOf(rule, details, { settings, bird, history });
  const { title, body } = fillTemplate(rule.template, values);
  return { ...tagged, title: title || message.title, body };
}

function valuesOf(
  rule: StoredRule,
  details: BirdDetails,
  { settings, bird, history }: Omit<RuleMessageContext, 'base'>,
): TemplateValues {
  const { timezone: zone } = settings.general;
  const { speciesName, scientificName, cameraId, sourceName, confidence, count } = details;
  const day = localDay(zone, bird.at);
  const { previousAt } = history;
  return {
    species: speciesNameIn(messageTextsOf(settings).language, speciesName),
    scientific_name: scientificName ?? '',
    time: clockTime(settings, bird.at),
    date: day,
    camera: settings.video.cameras.find(({ id }) => id === cameraId)?.name ?? cameraId ?? '',
    count: String(count),
    confidence: confidence === null ? '' : `${Math.round(confidence * 100)} %`,
    days_away: previousAt === null ? '' : String(daysBetween(localDay(zone, previousAt), day)),
    source: sourceName ?? '',
    rule: rule.name,
    hub: hubName(settings),
  };
}

/** Returns the reason of a rule's message. */
function reasonOf({ when, after_days }: StoredRule, settings: Settings): string | undefined {
  const { language, texts } = messageTextsOf(settings);
  if (when === 'first_of_season') return pluralText(language, texts.firstAfterDays, after_days);
  if (when === 'returns_after') return pluralText(language, texts.backAfterDays, after_days);
  return (texts.reasons as Partial<Record<StoredRule['when'], string>>)[when];
}

/** The visit created by a correction. */
export interface CorrectedVisit {
  readonly speciesName: string;
  readonly visitId: number | null;
  readonly videoId: number | null;
  readonly detectionId: number | null;
}

/** Returns the correction of a message. */
export function correctionMessage(
  { id, ruleId, message, about }: OutdatedMessage,
  { speciesName, visitId, videoId, detectionId }: CorrectedVisit,
  { settings, base }: MessageContext,
): Message {
  const { language, texts } = messageTextsOf(settings);
  const values = {
    reported: speciesNameIn(language, message.species ?? message.title),
    time: clockTime(settings, about),
    species: speciesNameIn(language, speciesName),
  };
  return {
    ...message,
    key: `correction:${id}`,
    kind: 'correction',
    ruleId,
    tags: ['correction'],
    title: fillText(texts.correction, values),
    body: `${fillText(texts.corrected, values)} · ${hubName(settings)}`,
    url: videoId === null ? message.url : addressOf(base, `/videos/${videoId}`),
    species: speciesName,
    visitId,
    videoId,
    detectionId,
    image: detectionId === null ? null : addressOf(base, `/api/ui/detections/${detectionId}/crop`),
    icon: null,
    noticeId: null,
  };
}

/** Returns a message about the hub itself. */
export function hubMessage(
  {
    key,
    title,
    body,
    path,
  }: { readonly key: string; readonly title: string; readonly body: string; readonly path: string },
  { base }: Pick<MessageContext, 'base'>,
): Message {
  return {
    kind: 'hub',
    key,
    title,
    body,
    tag: `birdhub-${key}`,
    url: addressOf(base, path),
    visitId: null,
    icon: null,
    image: null,
    noticeId: null,
  };
}

/** Returns the test message of channels. */
export function testMessage(at: number, { settings, base }: MessageContext): Message {
  const time = clockTime(settings, at);
  return {
    kind: 'test',
    key: `test:${at}`,
    title: hubName(settings),
    body: fillText(messageTextsOf(settings).texts.test, { time }),
    tag: 'birdhub-test',
    url: addressOf(base, '/'),
    visitId: null,
    icon: null,
    image: null,
    noticeId: null,
  };
}
