import { type Frame, maxAheadMs, maxRecordingMs, type PostedDetection } from '@birdhub/domain/recordings';
import { isGenericSpecies, normaliseSpeciesName } from '@birdhub/domain/species';
import { isName, toStorable } from '../../plain-text.js';
import { type Sentence, say } from '../sentences.js';
import type { Json, Mapped, SourceConfig, UpstreamEvent } from '../source-kind.js';
import { explainLowConfidence } from '../upstream-values.js';
import {
  audioPrefix,
  drop,
  type FrigateEvent,
  type FrigateReview,
  type RecordingUnit,
} from './frigate-records.js';

/** Options of the mapping. */
export interface MapOptions {
  /** Labels of objects such as `bird`, or `audio/chirp` for audio. */
  readonly labels: readonly string[];
  /** 0 to 1. */
  readonly minConfidence: number;
  /** Such as `0.17.2`. */
  readonly version: string;
  /** Whether a name is that of a species. */
  readonly isKnown: (name: string) => boolean;
  /** In ms. */
  readonly now: number;
}

/** Reference of a clip that is fetched later. Instants in unix seconds. */
// biome-ignore lint/style/useConsistentTypeDefinitions: only a type has the index signature of Json
export type ClipReference = {
  readonly of: RecordingUnit;
  readonly id: string;
  readonly camera: string;
  /** Including padding. */
  readonly start: number;
  readonly end: number;
  /** Whether Frigate has a clip; otherwise there is a snapshot. */
  readonly clip: boolean;
  /** Id of the tracked object whose snapshot replaces a missing clip. */
  readonly snapshot: string | null;
};

/** Padding of a recording before the first and after the last object, in seconds. */
export const paddingSeconds = 5;
/** Names may arrive late, as the classifier runs concurrently with the tracking. */
const rereadAfterMs = [10_000, 60_000, 600_000];
/** A second less than the maximum of the hub, to allow for rounding. */
const maxSeconds = maxRecordingMs / 1000 - 1;
/** The confidence of objects without a score. */
const defaultConfidence = 0.5;
/** How far corners of a box may be outside the picture. */
const overhang = 0.05;

/** Returns the labels of a source. */
export function labelsOf({ options }: SourceConfig): readonly string[] {
  return options.labels?.length ? options.labels : ['bird'];
}

/** Returns the labels for queries to Frigate. */
export function listedLabels(labels: readonly string[]): string[] {
  return [...new Set(labels.map((label) => label.replace(audioPrefix, '')))];
}

/** Whether a tracked object has a wanted label. */
export function isWanted({ label, type }: Pick<FrigateEvent, 'label' | 'type'>, labels: readonly string[]) {
  return labels.includes(type === 'audio' ? audioPrefix + label : label);
}

/** Returns all texts that may be names of species. */
export function listNames(events: Iterable<FrigateEvent>): Set<string> {
  return new Set([...events].flatMap(({ subLabel }) => subLabel ?? []));
}

/** Maps a review segment with all of its birds to one recording. */
export function mapReview(
  review: FrigateReview,
  events: readonly FrigateEvent[],
  options: MapOptions,
): Mapped {
  const span = toSpan(review, options.now);
  if (span.isAhead) return drop(review.id, review.start, aheadReason);
  if (span.isOpen) return { event: toOpenEvent(review, span, options) };
  const accepted: FrigateEvent[] = [];
  const reasons: Sentence[] = [];
  const tooLow = new Set<string>();
  for (const event of events) {
    const exclusion = exclusionReason(event, options);
    const reason = exclusion ?? lowConfidenceReason(event, options);
    if (reason === undefined) accepted.push(event);
    else reasons.push(reason);
    if (reason !== exclusion) tooLow.add(event.id);
  }
  if (!accepted.length) return dropForNow(review, reasons[0] ?? say('frigate_no_object'));
  const { id, severity, zones, eventIds } = review;
  const found = new Set(events.map((event) => event.id));
  const absentTracks = eventIds.filter((eventId) => !found.has(eventId) || tooLow.has(eventId));
  return {
    event: {
      ...toHead(review, span, options),
      detections: accepted.map((event) => toDetection(event, span, options)),
      ...(absentTracks.length > 0 && { absentTracks }),
      media: {
        extension: '.mp4',
        reference: toReference('review', id, span, accepted),
      },
      extra: toExtra({ review_id: id, severity, zones }),
    },
  };
}

/** Maps a tracked object to a recording, if review segments do not cover birds. */
export function mapEvent(event: FrigateEvent, options: MapOptions): Mapped {
  const span = toSpan(event, options.now);
  if (span.isAhead) return drop(event.id, event.start, aheadReason);
  const reason =
    exclusionReason(event, options) ?? (span.isOpen ? undefined : lowConfidenceReason(event, options));
  if (reason !== undefined) return dropForNow(event, reason);
  if (span.isOpen) return { event: toOpenEvent(event, span, options) };
  const hasMedia = event.hasClip || event.hasSnapshot;
  const reference = toReference('event', event.id, span, [event]);
  return {
    event: {
      ...toHead(event, span, options),
      detections: [toDetection(event, span, options)],
      media: hasMedia ? { extension: '.mp4', reference } : undefined,
      extra: toExtra({ id: event.id, zones: event.zones }),
    },
  };
}

const aheadReason = say('frigate_ahead');

/** Drops a record that is read again if it is stored, as its names may change. */
function dropForNow({ id, start }: FrigateEvent | FrigateReview, reason: Sentence): Mapped {
  return { dropped: { ...drop(id, start, reason).dropped, rereadAfterMs } };
}

/** The span of a recording, in unix seconds. */
interface Span {
  readonly camera: string;
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
  readonly isAhead: boolean;
}

/** Spans longer than a day are cut and count as ended. */
function toSpan({ camera, start, end }: Pick<FrigateEvent, 'camera' | 'start' | 'end'>, now: number): Span {
  const first = start - paddingSeconds;
  const latest = first + maxSeconds;
  const isOpen = end === undefined && now < latest * 1000;
  const last = isOpen ? start : Math.min(latest, (end ?? latest) + paddingSeconds);
  return { camera, start: first, end: last, isOpen, isAhead: last * 1000 > now + maxAheadMs };
}

const toMs = (seconds: number) => Math.round(seconds * 1000);

function toHead(
  { id }: { readonly id: string },
  { camera, start, end, isOpen }: Span,
  { version }: MapOptions,
) {
  return {
    upstreamId: id,
    start: toMs(start),
    end: toMs(end),
    isOpen,
    camera,
    processorVersion: `frigate ${version}`,
    rereadAfterMs,
  };
}

function toOpenEvent(record: FrigateEvent | FrigateReview, span: Span, options: MapOptions): UpstreamEvent {
  const head = toHead(record, span, options);
  return { ...head, end: toMs(record.start), detections: [], media: undefined, extra: {} };
}

function toReference(
  of: RecordingUnit,
  id: string,
  { camera, start, end }: Span,
  events: readonly FrigateEvent[],
): ClipReference {
  const best = events
    .filter(({ hasSnapshot }) => hasSnapshot)
    .sort((a, b) => (b.topScore ?? 0) - (a.topScore ?? 0))[0];
  const clip = events.some(({ hasClip }) => hasClip);
  return { of, id, camera, start, end, clip, snapshot: best?.id ?? null };
}

function exclusionReason(event: FrigateEvent, { labels }: MapOptions): Sentence | undefined {
  const { label, type, isFalsePositive } = event;
  if (isFalsePositive) return say('frigate_false_positive');
  if (isWanted(event, labels)) return undefined;
  return type === 'audio' ? say('frigate_heard', { label }) : say('frigate_label', { label });
}

function lowConfidenceReason(event: FrigateEvent, options: MapOptions): Sentence | undefined {
  const { confidence } = nameOf(event, options);
  return explainLowConfidence(confidence, options.minConfidence);
}

/** Returns the name given by the classifier or a user if it is that of a species, else a generic one. */
function nameOf({ label, type, subLabel, subLabelScore, topScore }: FrigateEvent, { isKnown }: MapOptions) {
  const name = subLabel === undefined ? '' : normaliseSpeciesName(subLabel);
  if (isName(name) && (isGenericSpecies(name) || isKnown(subLabel ?? '')))
    return { name, confidence: subLabelScore ?? 1 };
  const isBird = type === 'audio' || label === 'bird' || !isName(label);
  return {
    name: isBird ? 'Bird' : normaliseSpeciesName(label),
    confidence: topScore ?? subLabelScore ?? defaultConfidence,
  };
}

function toDetection(event: FrigateEvent, span: Span, options: MapOptions): PostedDetection {
  const length = span.end - span.start;
  const within = (at: number) => round(Math.min(length, Math.max(0, at - span.start)), 1000);
  const { name, confidence } = nameOf(event, options);
  const { id, label, subLabel, topScore, zones, description, type } = event;
  return {
    speciesName: name,
    confidence,
    startOffset: within(event.start),
    endOffset: within(event.end ?? span.end),
    source: type === 'audio' ? 'audio' : 'video',
    trackId: id,
    provider: 'frigate',
    frames: toFrames(event, span),
    extra: toExtra({ id, label, sub_label: subLabel, top_score: topScore, zones, description }),
  };
}

/** Returns boxes at known times: that of the snapshot, and boxes of the same size at each point of the path. */
function toFrames({ box, boxAt, path }: FrigateEvent, { start, end }: Span): Frame[] {
  if (!box) return [];
  const [x, y, w, h] = box;
  const seen = new Map<number, Frame['bbox']>();
  const add = (at: number, corners: Frame['bbox']) => {
    const [x1, y1, x2, y2] = corners.map(clampCorner) as [number, number, number, number];
    if (at >= start && at <= end && x2 > x1 && y2 > y1) seen.set(round(at - start, 1000), [x1, y1, x2, y2]);
  };
  for (const { x: centre, y: bottom, at } of path)
    add(at, [centre - w / 2, bottom - h, centre + w / 2, bottom]);
  if (boxAt !== undefined) add(boxAt, [x, y, x + w, y + h]);
  return [...seen].sort(([a], [b]) => a - b).map(([t, bbox]) => ({ t, bbox }));
}

const round = (value: number, steps: number) => Math.round(value * steps) / steps;
const clampCorner = (corner: number) => round(Math.min(1 + overhang, Math.max(-overhang, corner)), 1e4);

/** Returns the stored properties of Frigate; undefined ones are omitted. */
function toExtra(fields: Readonly<Record<string, unknown>>): { readonly [key: string]: Json } {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { frigate: toStorable(Object.fromEntries(known)) as Json };
}
