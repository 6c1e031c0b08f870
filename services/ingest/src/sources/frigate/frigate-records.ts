import { type Sentence, say } from '../sentences.js';
import type { DroppedEvent } from '../source-kind.js';

/** A validated tracked object of Frigate. Instants in unix seconds. */
export interface FrigateEvent {
  readonly id: string;
  readonly camera: string;
  readonly label: string;
  readonly subLabel: string | undefined;
  /** 0 to 1; undefined for a name given by a user. */
  readonly subLabelScore: number | undefined;
  readonly start: number;
  /** Undefined while it is tracked. */
  readonly end: number | undefined;
  readonly isFalsePositive: boolean;
  readonly hasClip: boolean;
  readonly hasSnapshot: boolean;
  /** `object`, `audio` or `api`. */
  readonly type: string;
  /** 0 to 1. */
  readonly topScore: number | undefined;
  readonly zones: readonly string[];
  /** Left, top, width and height as fractions of the picture. */
  readonly box: readonly [number, number, number, number] | undefined;
  /** When the box was seen; 0.17 and later. */
  readonly boxAt: number | undefined;
  readonly path: readonly PathPoint[];
  readonly description: string | undefined;
}

/** Position of the bottom centre of a tracked object, as fractions of the picture. */
export interface PathPoint {
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/** A validated review segment: a span of one camera with objects of interest. Instants in unix seconds. */
export interface FrigateReview {
  readonly id: string;
  readonly camera: string;
  readonly start: number;
  /** Undefined while it is in progress. */
  readonly end: number | undefined;
  readonly severity: string | undefined;
  /** Its tracked objects of all labels. */
  readonly eventIds: readonly string[];
  readonly zones: readonly string[];
}

/** The configuration of a camera in Frigate. */
export interface FrigateCamera {
  readonly name: string;
  /** The tracked labels. */
  readonly tracked: readonly string[];
  readonly isRecording: boolean;
  readonly hasSnapshots: boolean;
  /** The labels whose objects are always part of a review segment. */
  readonly reviewed: readonly string[];
}

/** The upstream unit that becomes a recording: a review segment or a single tracked object. */
export type RecordingUnit = 'review' | 'event';

/** A valid record, or why it is skipped. */
export type Checked<T> = { readonly record: T } | { readonly dropped: DroppedEvent };

/** Prefix of audio labels, such as `audio/chirp`. */
export const audioPrefix = 'audio/';

/** Maximum tracked objects of a review segment that are processed. */
const maxEventsOfReview = 200;
/** Maximum points of a path; longer ones are thinned out. */
const maxPathPoints = 500;
const maxZones = 50;
const maxDescription = 2_000;
const minSeconds = Date.UTC(2000, 0, 2) / 1000;
const maxSeconds = Date.UTC(9999, 0, 1) / 1000;
const idPattern = /^[\w-]+(?:\.[\w-]+)*$/;
const cameraPattern = /^[^\p{Cc}\p{Cs}/\\?#]{1,64}$/u;
const maxIdLength = 64;

/** Checks a row of `/api/events`, `/api/events/{id}` or `/api/event_ids`. */
export function checkEvent(value: unknown): Checked<FrigateEvent> {
  const row = toObject(value);
  const head = checkHead(row);
  if ('dropped' in head) return head;
  const data = toObject(row['data']);
  const { subLabel, pairScore } = readSubLabel(row['sub_label']);
  const record: FrigateEvent = {
    ...head.record,
    label: toText(row['label'], 64) ?? '',
    subLabel,
    subLabelScore: toShare(data['sub_label_score']) ?? pairScore,
    isFalsePositive: row['false_positive'] === true,
    hasClip: row['has_clip'] === true,
    hasSnapshot: row['has_snapshot'] === true,
    type: toText(data['type'], 16) ?? 'object',
    topScore: toShare(data['top_score']) ?? toShare(row['top_score']) ?? toShare(data['score']),
    zones: toTexts(row['zones']),
    box: readBox(data['box']),
    boxAt: toSeconds(data['snapshot_frame_time']),
    path: readPath(data['path_data']),
    description: toText(data['description'], maxDescription),
  };
  return record.label === '' ? drop(record.id, record.start, say('frigate_no_label')) : { record };
}

/** Checks a row of `/api/review` or `/api/review/{id}`. */
export function checkReview(value: unknown): Checked<FrigateReview> {
  const row = toObject(value);
  const head = checkHead(row);
  if ('dropped' in head) return head;
  const data = toObject(row['data']);
  const ids = toArray(data['detections']).filter(isId);
  const record: FrigateReview = {
    ...head.record,
    severity: toText(row['severity'], 32),
    eventIds: [...new Set(ids)].slice(0, maxEventsOfReview),
    zones: toTexts(data['zones']),
  };
  return { record };
}

/** Parses the enabled cameras of `/api/config`; undefined when it is not a configuration of Frigate. */
export function readCameras(config: unknown): FrigateCamera[] | undefined {
  const cameras = toObject(config)['cameras'];
  if (typeof cameras !== 'object' || cameras === null || Array.isArray(cameras)) return undefined;
  return Object.entries(cameras)
    .filter(([, camera]) => toObject(camera)['enabled'] !== false)
    .map(([name, camera]) => readCamera(name, toObject(camera)));
}

function readCamera(name: string, camera: Fields): FrigateCamera {
  const tracked = toTexts(toObject(camera['objects'])['track']);
  const isRecording = toObject(camera['record'])['enabled'] === true;
  const review = toObject(camera['review']);
  const areas = [toObject(review['alerts']), toObject(review['detections'])] as const;
  const isReviewed = (label: string) =>
    areas.some(({ enabled, labels, required_zones: zones }, area) => {
      // Detections without labels include all objects; alerts always have labels.
      const isListed = Array.isArray(labels) ? labels.includes(label) : area === 1;
      return enabled !== false && isListed && !toArray(zones).length;
    });
  return {
    name,
    tracked,
    isRecording,
    hasSnapshots: toObject(camera['snapshots'])['enabled'] === true,
    // Frigate only creates review segments for cameras that are recorded.
    reviewed: isRecording ? tracked.filter(isReviewed) : [],
  };
}

/** Returns the cameras that track one of the labels, and those whose objects may not be part of a review segment. */
export function findTracking(cameras: readonly FrigateCamera[], labels: readonly string[]) {
  const tracking = cameras.filter(({ tracked }) => labels.some((label) => tracked.includes(label)));
  const uncovered = tracking.filter(({ tracked, reviewed }) =>
    labels.some((label) => tracked.includes(label) && !reviewed.includes(label)),
  );
  return { tracking, uncovered };
}

/** Chooses review segments if they contain all wanted objects. */
export function chooseUnit(cameras: readonly FrigateCamera[], labels: readonly string[]): RecordingUnit {
  const { tracking, uncovered } = findTracking(cameras, labels);
  const wantsSound = labels.some((label) => label.startsWith(audioPrefix));
  return tracking.length && !uncovered.length && !wantsSound ? 'review' : 'event';
}

/** Returns the name and its score: a text in HTTP, a pair in MQTT. */
function readSubLabel(value: unknown): { subLabel: string | undefined; pairScore: number | undefined } {
  const [name, score] = Array.isArray(value) ? value : [value, undefined];
  const subLabel = toText(name, 200)?.trim() || undefined;
  return { subLabel, pairScore: subLabel === undefined ? undefined : toShare(score) };
}

function readBox(value: unknown): FrigateEvent['box'] {
  const [x, y, w, h] = toArray(value).slice(0, 4);
  if (![x, y, w, h].every(isNumber)) return undefined;
  const box = [x, y, w, h] as [number, number, number, number];
  // Boxes of events that are still tracked are in pixels.
  const isRelative = box.every((side) => Math.abs(side) <= 2);
  return isRelative && box[2] > 0 && box[3] > 0 ? box : undefined;
}

function readPath(value: unknown): PathPoint[] {
  const rows = toArray(value);
  const step = Math.max(1, Math.ceil(rows.length / maxPathPoints));
  return rows.flatMap((row, index) => {
    if (index % step !== 0) return [];
    const [point, time] = toArray(row);
    const [x, y] = toArray(point);
    const at = toSeconds(time);
    return isNumber(x) && isNumber(y) && at !== undefined ? [{ x, y, at }] : [];
  });
}

type Head = Pick<FrigateEvent, 'id' | 'camera' | 'start' | 'end'>;

function checkHead(row: Fields): Checked<Head> {
  const { id, camera, start_time: startTime, end_time: endTime } = row;
  const start = toSeconds(startTime);
  if (!isId(id)) return drop(toShownId(id), start, say('frigate_bad_id'));
  if (start === undefined) return drop(id, undefined, say('frigate_no_start'));
  if (typeof camera !== 'string' || !cameraPattern.test(camera))
    return drop(id, start, say('frigate_bad_camera'));
  const end = toSeconds(endTime);
  if (end === undefined && endTime !== null && endTime !== undefined)
    return drop(id, start, say('frigate_bad_end'));
  if (end !== undefined && end < start) return drop(id, start, say('frigate_ends_early'));
  return { record: { id, camera, start, end } };
}

/** Returns why a record is skipped; its start is in seconds. */
export function drop(
  upstreamId: string,
  start: number | undefined,
  reason: Sentence,
): { readonly dropped: DroppedEvent } {
  return {
    dropped: { upstreamId, at: start === undefined ? undefined : Math.round(start * 1000), reason },
  };
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxIdLength && idPattern.test(value);

const toShownId = (value: unknown) =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, maxIdLength)
    : '';

type Fields = Readonly<Record<string, unknown>>;

const toObject = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const toShare = (value: unknown) => (isNumber(value) ? Math.min(1, Math.max(0, value)) : undefined);
const toSeconds = (value: unknown) =>
  isNumber(value) && value >= minSeconds && value <= maxSeconds ? value : undefined;
const toText = (value: unknown, maxLength: number) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength).toWellFormed() : undefined;
const toTexts = (value: unknown) =>
  toArray(value)
    .slice(0, maxZones)
    .flatMap((entry) => toText(entry, 64) ?? []);
