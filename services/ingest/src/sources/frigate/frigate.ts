import { createHash } from 'node:crypto';
import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { toBrokerAddress } from '@birdhub/shared/mqtt';
import { say } from '../sentences.js';
import type {
  DroppedEvent,
  FetchOutcome,
  KnownEvent,
  Mapped,
  ReadRequest,
  SourceConfig,
  SourceKind,
  Upstream,
  UpstreamDeps,
  UpstreamEvent,
  UpstreamPage,
} from '../source-kind.js';
import { UpstreamError } from '../source-kind.js';
import { FrigateApi, type FrigateVersion } from './frigate-api.js';
import { fetchClip, readReference } from './frigate-clip.js';
import { listenToFrigate } from './frigate-messages.js';
import { FrigatePages, openCursor, type RecordPage } from './frigate-pages.js';
import {
  chooseUnit,
  drop,
  type FrigateEvent,
  type FrigateReview,
  type RecordingUnit,
} from './frigate-records.js';
import { testFrigate } from './frigate-stages.js';
import {
  isWanted,
  labelsOf,
  listedLabels,
  listNames,
  type MapOptions,
  mapEvent,
  mapReview,
} from './map-frigate.js';

/** Frigate 0.16 to 0.18: review segments or tracked objects by HTTP; MQTT triggers reads. */
export const frigate: SourceKind = {
  name: 'frigate',
  canWriteBack: true,
  hasOneBirdPerEvent: false,
  rereadDays: 0,
  check: checkFrigate,
  open: (config, deps) => new FrigateUpstream(config, deps),
};

/** How a Frigate is read, determined by its version and configuration. */
interface FrigatePlan {
  readonly version: FrigateVersion;
  readonly unit: RecordingUnit;
}

const defaultPort = 1883;
const maxLabels = 50;
/** How long the version and the configuration are cached. */
const planMaxAgeMs = 10 * 60_000;
/** After this time an object announced by MQTT is in Frigate's database if it ever will be. */
const announcedMs = 30_000;
const maxAnnounced = 500;
const maxAnnouncedPerPage = 20;
const prefixPattern = /^[^+#\p{Cc}]{1,200}$/u;
const labelPattern = /^(?:audio\/)?[^,/\p{Cc}]+$/u;

/** Returns the topic prefix of a source. */
const topicPrefixOf = ({ options }: SourceConfig) => options.mqttTopicPrefix || 'frigate';

const brokerOf = ({ options }: SourceConfig) =>
  options.mqttUrl
    ? toBrokerAddress({ broker: options.mqttUrl, port: defaultPort, username: '', password: '' })
    : undefined;

function checkFrigate(config: SourceConfig): ErrorDetail[] {
  const { url, username, password, options } = config;
  const details: ErrorDetail[] = [];
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  if (!url)
    details.push(
      refuse('/url', 'address_needed', { program: 'Frigate', example: 'http://192.168.1.5:5000' }),
    );
  else if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    details.push(refuse('/url', 'web_address'));
  else if (parsed.username || parsed.password) details.push(refuse('/url', 'address_login'));
  else if (parsed.search || parsed.hash) details.push(refuse('/url', 'address_query'));
  if (username && !password) details.push(refuse('/password', 'needed_with_user'));
  if (password && !username) details.push(refuse('/username', 'needed_with_password'));
  if (options.mqttUrl && !brokerOf(config)) details.push(refuse('/options/mqtt_url', 'broker_address'));
  const prefix = topicPrefixOf(config);
  if (!prefixPattern.test(prefix) || prefix.startsWith('/') || prefix.endsWith('/'))
    details.push(refuse('/options/mqtt_topic_prefix', 'topic_ends'));
  const labels = options.labels ?? [];
  if (labels.length > maxLabels) details.push(refuse('/options/labels', 'too_many', { limit: maxLabels }));
  const wrong = labels.findIndex((label) => label.length > 64 || !labelPattern.test(label));
  if (wrong >= 0) details.push(refuse(`/options/labels/${wrong}`, 'frigate_label'));
  return details;
}

/** A connection to one Frigate. */
class FrigateUpstream implements Upstream {
  readonly #config: SourceConfig;
  readonly #deps: UpstreamDeps;
  readonly #api: FrigateApi;
  readonly #labels: readonly string[];
  readonly #pages = new FrigatePages();
  readonly #memory = new ReadMemory();
  /** Ended objects announced by MQTT but not yet listed by HTTP, with the time of the message in ms. */
  readonly #announced = new Map<string, number>();
  #plan: (FrigatePlan & { readonly at: number }) | undefined;
  readonly listen?: NonNullable<Upstream['listen']>;

  constructor(config: SourceConfig, deps: UpstreamDeps) {
    this.#config = config;
    this.#deps = deps;
    this.#api = new FrigateApi(config, deps);
    this.#labels = labelsOf(config);
    const address = brokerOf(config);
    if (address) {
      const { guard } = deps;
      const topicPrefix = topicPrefixOf(config);
      const isWantedLabel = (label: string) => isWanted({ label, type: 'object' }, this.#labels);
      const onEnded = (id: string) => this.#announce(id);
      this.listen = (notify, signal) =>
        listenToFrigate({ address, guard, topicPrefix, isWanted: isWantedLabel, onEnded }, notify, signal);
    }
  }

  test(signal: AbortSignal): ReturnType<Upstream['test']> {
    return testFrigate(this.#config, this.#api, {
      signal,
      now: this.#deps.clock.now(),
      map: (unit, records, version) => this.#mapAll(unit, records, version, signal),
    });
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<UpstreamPage> {
    const { version, unit } = await this.#readPlan(signal);
    const isLive = request.until === undefined;
    const cursor = openCursor(request.cursor, { unit, since: request.since });
    if (isLive) this.#memory.confirm(cursor.page);
    const paging = { until: request.until, limit: Math.max(1, request.limit), now: this.#deps.clock.now() };
    const labels = listedLabels(this.#labels);
    const page: RecordPage<FrigateEvent | FrigateReview> =
      unit === 'review'
        ? await this.#pages.read((list) => this.#api.listReviews(labels, list, signal), cursor, paging)
        : await this.#pages.read((list) => this.#api.listEvents(labels, list, signal), cursor, paging);
    const mapped = await this.#mapAll(unit, page.records, version, signal);
    for (const record of page.records) this.#markFound(record);
    const missing = isLive && page.isLast ? await this.#checkAnnounced(unit, signal) : [];
    const events = mapped.flatMap((entry) => ('event' in entry ? [entry.event] : []));
    const dropped = mapped.flatMap((entry) => ('dropped' in entry ? [entry.dropped] : []));
    const all = { events, dropped: [...page.dropped, ...dropped, ...missing] };
    const { cursor: next, isLast } = page;
    const kept = isLive ? this.#memory.filter(all, next.page) : all;
    if (isLive && isLast) this.#memory.forgetBefore((next.from - 60) * 1000);
    return { ...kept, cursor: { ...next, seen: [...next.seen] }, isLast };
  }

  async readAgain({ upstreamId, reference }: KnownEvent, signal: AbortSignal) {
    const { version } = await this.#readPlan(signal);
    const unit = readReference(reference)?.of;
    if (unit !== 'event') {
      const review = await this.#api.findReview(upstreamId, signal);
      if (review) return this.#mapOne('review', review, version, signal);
    }
    if (unit === 'review') return undefined;
    const event = await this.#api.findEvent(upstreamId, signal);
    return event && this.#mapOne('event', event, version, signal);
  }

  async fetch(event: KnownEvent, file: string, signal: AbortSignal): Promise<FetchOutcome> {
    const reference = readReference(event.reference);
    if (!reference) return { outcome: 'never', reason: say('frigate_nothing_recorded') };
    const { version } = await this.#readPlan(signal);
    const { ffmpegPath = 'ffmpeg', clock } = this.#deps;
    return fetchClip({ api: this.#api, version, ffmpegPath, now: clock.now() }, reference, file, signal);
  }

  async writeName(known: KnownEvent, name: string, signal: AbortSignal, trackId?: string): Promise<void> {
    const { upstreamId, reference } = known;
    const events = await this.#listBirds(
      trackId ?? upstreamId,
      trackId ? 'event' : readReference(reference)?.of,
      signal,
    );
    const [event, ...others] = events;
    if (others.length) throw new UpstreamError('permission', say('frigate_several'));
    if (event) await this.#api.writeName(event, name, signal);
  }

  async close(): Promise<void> {
    this.#announced.clear();
  }

  /** Returns the wanted objects of a recording. */
  async #listBirds(
    id: string,
    unit: RecordingUnit | undefined,
    signal: AbortSignal,
  ): Promise<FrigateEvent[]> {
    const review = unit === 'event' ? undefined : await this.#api.findReview(id, signal);
    const ids = review && 'record' in review ? review.record.eventIds : [id];
    const events = await this.#api.findEvents(ids, signal);
    return [...events.values()].filter((event) => isWanted(event, this.#labels));
  }

  async #readPlan(signal: AbortSignal): Promise<FrigatePlan> {
    const now = this.#deps.clock.now();
    if (this.#plan && now - this.#plan.at < planMaxAgeMs) return this.#plan;
    const version = await this.#api.readVersion(signal);
    const cameras = await this.#api.readCameras(signal);
    this.#plan = { version, unit: chooseUnit(cameras, this.#labels), at: now };
    return this.#plan;
  }

  async #mapOne(
    unit: RecordingUnit,
    checked: { readonly record: FrigateEvent | FrigateReview } | { readonly dropped: DroppedEvent },
    version: FrigateVersion,
    signal: AbortSignal,
  ): Promise<Mapped | undefined> {
    if ('dropped' in checked) return checked;
    const [mapped] = await this.#mapAll(unit, [checked.record], version, signal);
    return mapped;
  }

  async #mapAll(
    unit: RecordingUnit,
    records: readonly (FrigateEvent | FrigateReview)[],
    version: FrigateVersion,
    signal: AbortSignal,
  ): Promise<Mapped[]> {
    const reviews = unit === 'review' ? (records as readonly FrigateReview[]) : [];
    const single = unit === 'event' ? (records as readonly FrigateEvent[]) : [];
    // Segments in progress are not stored, so their objects are not needed.
    const ids = reviews.flatMap(({ end, eventIds }) => (end === undefined ? [] : eventIds));
    const found = await this.#api.findEvents([...new Set(ids)], signal);
    const options = await this.#toMapOptions([...found.values(), ...single], version);
    const eventsOf = ({ eventIds }: FrigateReview) => eventIds.flatMap((id) => found.get(id) ?? []);
    return [
      ...reviews.map((review) => mapReview(review, eventsOf(review), options)),
      ...single.map((event) => mapEvent(event, options)),
    ];
  }

  async #toMapOptions(events: readonly FrigateEvent[], version: FrigateVersion): Promise<MapOptions> {
    const known = new Set<string>();
    const isKnown = this.#deps.isKnownSpecies?.bind(this.#deps);
    for (const name of listNames(events)) if (!isKnown || (await isKnown(name))) known.add(name);
    return {
      labels: this.#labels,
      minConfidence: this.#config.options.minConfidence ?? 0,
      version: version.text,
      isKnown: (name) => known.has(name),
      now: this.#deps.clock.now(),
    };
  }

  #announce(id: string): void {
    if (id.length > 64 || this.#announced.size >= maxAnnounced) return;
    this.#announced.set(id, this.#deps.clock.now());
  }

  #markFound(record: FrigateEvent | FrigateReview): void {
    for (const id of 'eventIds' in record ? record.eventIds : [record.id]) this.#announced.delete(id);
  }

  /** Returns the announced objects that are not part of a recording. */
  async #checkAnnounced(unit: RecordingUnit, signal: AbortSignal): Promise<DroppedEvent[]> {
    const now = this.#deps.clock.now();
    const due = [...this.#announced].filter(([, at]) => now - at >= announcedMs);
    const dropped: DroppedEvent[] = [];
    for (const [id] of due.slice(0, maxAnnouncedPerPage)) {
      const event = await this.#api.findEvent(id, signal);
      this.#announced.delete(id);
      const start = event && 'record' in event ? event.record.start : Number.parseFloat(id) || undefined;
      if (!event) dropped.push(drop(id, start, say('frigate_not_kept')).dropped);
      else if (unit === 'review') dropped.push(drop(id, start, say('frigate_no_review')).dropped);
    }
    return dropped;
  }
}

interface ReadEntries {
  readonly events: readonly UpstreamEvent[];
  readonly dropped: readonly DroppedEvent[];
}

/**
 * Remembers what was returned in the overlap of scans, so that only new or changed events are returned again. A page
 * counts as stored when the caller returns with its cursor.
 */
class ReadMemory {
  /** Fingerprints of returned events by id, and their starts in ms. */
  readonly #stored = new Map<string, { readonly fingerprint: string; readonly start: number }>();
  #returned: { readonly page: number; readonly entries: ReadEntries } | undefined;

  /** Marks the last returned page as stored if it is the given one, else forgets everything. */
  confirm(page: number): void {
    const { entries, page: last } = this.#returned ?? {};
    if (last !== page) this.#stored.clear();
    else
      for (const [key, start, value] of listEntries(entries))
        this.#stored.set(key, { fingerprint: toFingerprint(value), start });
    this.#returned = undefined;
  }

  /** Returns new and changed entries. */
  filter({ events, dropped }: ReadEntries, page: number): ReadEntries {
    this.#returned = { page, entries: { events, dropped } };
    const isNew = (key: string, value: object) => this.#stored.get(key)?.fingerprint !== toFingerprint(value);
    return {
      events: events.filter((event) => isNew(eventKey(event), event)),
      dropped: dropped.filter((entry) => isNew(dropKey(entry), entry)),
    };
  }

  forgetBefore(instant: number): void {
    for (const [key, { start }] of this.#stored) if (start < instant) this.#stored.delete(key);
  }
}

const eventKey = ({ upstreamId }: UpstreamEvent) => `event ${upstreamId}`;
const dropKey = ({ upstreamId }: DroppedEvent) => `drop ${upstreamId}`;
const toFingerprint = (value: object) => createHash('sha1').update(JSON.stringify(value)).digest('base64');

function listEntries({ events, dropped }: ReadEntries = { events: [], dropped: [] }) {
  return [
    ...events.map((event) => [eventKey(event), event.start, event] as const),
    ...dropped.map((entry) => [dropKey(entry), entry.at ?? 0, entry] as const),
  ];
}
