import {
  countText,
  fillText,
  type HubLanguage,
  localeOf,
  pluralText,
  speciesNameIn,
} from '@birdhub/domain/language';
import { hubName, type Settings, type SettingsReader } from '@birdhub/domain/settings';
import { shareTexts } from '@birdhub/domain/shares';
import { createLoop, type Loop } from '@birdhub/shared/async';
import {
  type Clock,
  dayMs,
  daysBefore,
  daysBetween,
  firstInstantAt,
  localDay,
  nextDay,
  startOfDay,
} from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { addressOf, type HubBase } from '../channels/hub-links.js';
import type { Message } from '../channels/index.js';
import {
  type DigestFacts,
  hasDemoRecordings,
  isScheduleChangedSince,
  readDigestFacts,
} from './digest.store.js';
import { weekdayOf } from './evaluate-rule.js';
import { type MessageTexts, messageTextsOf } from './message-texts.js';
import { addOnce, channelsOf, isStored, type MessageChannels, type NewDelivery } from './messages.store.js';

/** The frequencies of digests. */
export const digestFrequencies = ['daily', 'weekly', 'monthly'] as const;

/** One of {@link digestFrequencies}. */
type DigestFrequency = (typeof digestFrequencies)[number];

/** Local calendar days, inclusive. */
interface DigestPeriod {
  readonly frequency: DigestFrequency;
  readonly first: string;
  readonly last: string;
}

/** A digest to be sent. */
interface DueDigest extends DigestPeriod {
  /** When it is due, ms since the epoch. */
  readonly dueAt: number;
}

/** Dependencies of digests. */
export interface DigestDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly channels: MessageChannels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly basePath: string;
  /** Creates the PDF report of a period, in ms since the epoch. */
  readonly makeReport: (from: number, to: number, language: HubLanguage) => Promise<Buffer>;
}

const checkIntervalMs = 60_000;
/** A missed digest is sent within this time. */
const maxLateMs = dayMs;
const messageTtlMs = dayMs;

/** Starts to send digests when they are due, each once across all processes. */
export function startDigests(deps: DigestDeps): Loop {
  const loop = createLoop({
    work: () => sendDueDigest(deps),
    everyMs: checkIntervalMs,
    firstAfterMs: 5_000,
    onError: (error) => deps.log.warn({ err: error }, 'digest not sent, retrying'),
  });
  loop.start();
  return loop;
}

/** Sends the due digest, unless a process has sent it already. */
export async function sendDueDigest(deps: DigestDeps): Promise<void> {
  const { pool, clock, channels } = deps;
  const settings = await deps.settings.current();
  if (!settings.general.enable_notifications) return;
  const due = dueDigest(settings, clock.now());
  if (!due) return;
  const key = keyOf(due);
  if ((await isStored(pool, key)) || (await isScheduleChangedSince(pool, due.dueAt))) return;
  const all = await channels.list();
  const channelIds = channelsOf({ channels: settings.digest.channels }, all);
  if (!channelIds.length) return;
  const message = { ...(await composeDigest(deps, settings, due)), key };
  const isReportSent =
    settings.digest.report &&
    all.some(({ id, takesFiles }) => takesFiles && channelIds.includes(id)) &&
    // The report would include birds of the demo.
    !(await hasDemoRecordings(pool));
  const attachments = isReportSent ? await attachReport(deps, settings, due) : [];
  const isQueued = await addOnce(
    pool,
    channels,
    {
      message,
      speciesKey: key,
      speciesId: null,
      visitId: null,
      about: due.dueAt,
      expiresAt: due.dueAt + maxLateMs + messageTtlMs,
      ruleId: null,
      channelIds,
      attachments,
    },
    clock.now(),
  );
  if (isQueued) channels.wake();
}

const keyOf = ({ frequency, last }: DigestPeriod) => `digest:${frequency}:${last}`;

/** Returns the newest due digest; undefined when there is none, or it was due more than a day ago. */
export function dueDigest(
  { digest, general }: Pick<Settings, 'digest' | 'general'>,
  now: number,
): DueDigest | undefined {
  const { frequency, time, weekday } = digest;
  if (frequency === 'off') return undefined;
  const zone = general.timezone;
  const today = localDay(zone, now);
  for (const day of [today, daysBefore(today, 1)]) {
    const dueAt = firstInstantAt(zone, Date.parse(`${day}T${time}:00Z`));
    if (!isSendingDay(frequency, day, weekday) || now < dueAt) continue;
    return now - dueAt <= maxLateMs ? { ...periodBefore(frequency, day), dueAt } : undefined;
  }
  return undefined;
}

function isSendingDay(frequency: DigestFrequency, day: string, weekday: number): boolean {
  if (frequency === 'weekly') return weekdayOf(day) === weekday;
  return frequency === 'daily' || day.endsWith('-01');
}

/** Returns the day, the seven days or the calendar month before a day. */
export function periodBefore(frequency: DigestFrequency, day: string): DigestPeriod {
  const last = daysBefore(frequency === 'monthly' ? `${day.slice(0, 8)}01` : day, 1);
  if (frequency === 'daily') return { frequency, first: last, last };
  if (frequency === 'weekly') return { frequency, first: daysBefore(last, 6), last };
  return { frequency, first: `${last.slice(0, 8)}01`, last };
}

/** Composes the digest of a period. */
export async function composeDigest(
  { pool, basePath }: Pick<DigestDeps, 'pool' | 'basePath'>,
  settings: Settings,
  period: DigestPeriod,
): Promise<Message> {
  const zone = settings.general.timezone;
  const length = daysBetween(period.first, period.last) + 1;
  const bounds = Array.from({ length: length + 1 }, (_, index) =>
    startOfDay(zone, daysBefore(period.first, -index)),
  );
  const firstBefore = daysBefore(period.first, length);
  const before = {
    first: firstBefore,
    last: daysBefore(period.first, 1),
    start: startOfDay(zone, firstBefore),
  };
  const facts = await readDigestFacts(pool, { ...period, bounds, before });
  const base: HubBase = { baseUrl: settings.notifications.base_url, basePath };
  const { best } = facts;
  return {
    kind: 'digest',
    key: keyOf(period),
    title: `${hubName(settings)}: ${titleOf(period, messageTextsOf(settings).language)}`,
    body: describeDigest(facts, length, settings),
    tag: 'birdhub-digest',
    url: addressOf(base, length === 1 ? `/timeline?date=${period.last}` : '/calendar'),
    visitId: null,
    icon: null,
    image: best === null ? null : addressOf(base, `/api/ui/detections/${best.detectionId}/crop`),
    noticeId: null,
    ruleId: null,
    tags: ['digest'],
    detectionId: best?.detectionId ?? null,
    videoId: best?.videoId ?? null,
    species: best?.speciesName ?? null,
  };
}

function titleOf({ frequency, first, last }: DigestPeriod, language: HubLanguage): string {
  const [start, end] = [new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`)];
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const locale = localeOf(language);
  if (frequency === 'monthly') return new Intl.DateTimeFormat(locale, options).format(start);
  return new Intl.DateTimeFormat(locale, { day: 'numeric', ...options }).formatRange(start, end);
}

const maxListed = 10;

/** Returns the text of a digest. */
export function describeDigest(
  { visits, visitsBefore, species, newSpecies, daysWithoutDetector, best }: DigestFacts,
  days: number,
  settings: Pick<Settings, 'general'>,
): string {
  const { language, texts } = messageTextsOf(settings);
  const nameOf = (name: string) => speciesNameIn(language, name);
  const number = new Intl.NumberFormat(language);
  const listSome = (all: readonly string[]) => {
    const more = shareTexts[language].more.replace('#', number.format(all.length - maxListed));
    return [...all.slice(0, maxListed), ...(all.length > maxListed ? [more] : [])].join(', ');
  };
  const counts = {
    visits: countText(language, 'visits', visits),
    species: countText(language, 'species', species.length),
  };
  const change = changeOf(visits, visitsBefore, days, texts);
  const lines = [
    visits === 0 ? texts.noBirds : `${fillText(texts.summary, counts)}${change && `, ${change}`}.`,
    listSome(species.map(({ name, visits: count }) => `${nameOf(name)} ${number.format(count)}`)),
    newSpecies.length > 0 && fillText(texts.isNew, { species: listSome(newSpecies.map(nameOf)) }),
    best && fillText(texts.best, { species: nameOf(best.speciesName) }),
    daysWithoutDetector > 0 &&
      (days === 1 ? texts.silentDay : pluralText(language, texts.silentDays, daysWithoutDetector)),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Describes the change of visits; empty without previous visits. */
function changeOf(visits: number, visitsBefore: number, days: number, texts: MessageTexts): string {
  if (visitsBefore === 0) return '';
  const before = texts.before[days === 1 ? 'day' : days === 7 ? 'week' : 'time'];
  const percent = Math.round(((visits - visitsBefore) / visitsBefore) * 100);
  if (percent === 0) return fillText(texts.same, { before });
  return fillText(percent > 0 ? texts.more : texts.fewer, { percent: Math.abs(percent), before });
}

/** Attaches the report; on failure the digest is sent without it. */
async function attachReport(
  { makeReport, log }: DigestDeps,
  settings: Settings,
  period: DigestPeriod,
): Promise<NonNullable<NewDelivery['attachments']>> {
  const zone = settings.general.timezone;
  try {
    const { language } = messageTextsOf(settings);
    const [from, to] = [startOfDay(zone, period.first), startOfDay(zone, nextDay(period.last))];
    const content = await makeReport(from, to, language);
    return [{ name: `birds-${period.last}.pdf`, type: 'application/pdf', content }];
  } catch (error) {
    log.warn({ err: error }, 'report of digest not created, sending the digest without it');
    return [];
  }
}
