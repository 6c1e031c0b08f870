/** A bird that a test adds to the stub. Times in ms since the epoch. */
export interface FrigateBird {
  /** Default: derived from the start. */
  readonly id?: string;
  readonly camera?: string;
  readonly label?: string;
  /** Its sub_label; null until it is named. */
  readonly name?: string | null;
  /** Null for a name given by a user. */
  readonly nameScore?: number | null;
  readonly start?: number;
  /** Null while its event is open. */
  readonly end?: number | null;
  readonly topScore?: number;
  /** `[x, y, w, h]`, relative. */
  readonly box?: readonly [number, number, number, number];
  /** Bottom centre of the box, relative, with the time in ms. */
  readonly path?: readonly (readonly [x: number, y: number, at: number])[];
  readonly zones?: readonly string[];
  readonly hasClip?: boolean;
  readonly hasSnapshot?: boolean;
  readonly type?: 'object' | 'audio' | 'api';
  /** `later`: the segments of its recording are not on disk yet. */
  readonly footage?: 'ready' | 'later' | 'gone';
  /** Published on MQTT but never in the HTTP API. */
  readonly isOnlyOnMqtt?: boolean;
  /** The id of its review segment; null for none. Default: the one of its camera at its time. */
  readonly review?: string | null;
  readonly severity?: 'alert' | 'detection';
  /** Further keys of `data`, such as a name assigned by a custom model. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A tracked object in the stub. Times in seconds, as in Frigate. */
export interface FrigateEvent {
  readonly id: string;
  readonly camera: string;
  label: string;
  subLabel: string | null;
  subLabelScore: number | null;
  readonly startTime: number;
  endTime: number | null;
  topScore: number;
  box: readonly [number, number, number, number];
  path: (readonly [x: number, y: number, at: number])[];
  zones: readonly string[];
  hasClip: boolean;
  hasSnapshot: boolean;
  readonly type: 'object' | 'audio' | 'api';
  footage: 'ready' | 'later' | 'gone';
  readonly isOnlyOnMqtt: boolean;
  isRetained: boolean;
  readonly severity: 'alert' | 'detection';
  data: Readonly<Record<string, unknown>>;
}

/** A review segment: a time span of one camera that a user should review. */
export interface FrigateReview {
  readonly id: string;
  readonly camera: string;
  startTime: number;
  endTime: number | null;
  severity: 'alert' | 'detection';
  hasBeenReviewed: boolean;
  readonly eventIds: string[];
}

const detectWidth = 1280;
const detectHeight = 720;
const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** Returns the row as in the HTTP API. */
export function toHttpEvent(
  event: FrigateEvent,
  version: string,
  thumbnail?: string,
): Record<string, unknown> {
  const { box } = event;
  return {
    id: event.id,
    label: event.label,
    sub_label: event.subLabel,
    camera: event.camera,
    start_time: event.startTime,
    end_time: event.endTime,
    false_positive: event.type === 'object' ? false : null,
    zones: event.zones,
    ...(thumbnail === undefined ? {} : { thumbnail }),
    has_clip: event.hasClip,
    has_snapshot: event.hasSnapshot,
    retain_indefinitely: event.isRetained,
    plus_id: null,
    model_hash: null,
    detector_type: 'cpu',
    model_type: 'ssd',
    data: {
      box,
      region: [0, 0, 1, 1],
      score: event.topScore,
      top_score: event.topScore,
      ...(event.subLabelScore === null ? {} : { sub_label_score: event.subLabelScore }),
      attributes: [],
      ...(isFrom(version, '0.17') ? { snapshot_frame_time: round(event.startTime + 1.5) } : {}),
      average_estimated_speed: 0,
      velocity_angle: 0,
      type: event.type,
      max_severity: event.severity,
      path_data: event.path.map(([x, y, at]) => [[x, y], at]),
      ...event.data,
    },
  };
}

/** Returns `before` or `after` of a message on `<prefix>/events`. */
export function toMqttEvent(event: FrigateEvent, version: string): Record<string, unknown> {
  const [x, y, w, h] = event.box;
  const box = [x * detectWidth, y * detectHeight, (x + w) * detectWidth, (y + h) * detectHeight].map(
    Math.round,
  );
  const frameTime = event.endTime ?? event.path.at(-1)?.[2] ?? event.startTime;
  const isLatest = isFrom(version, '0.18');
  return {
    id: event.id,
    camera: event.camera,
    frame_time: frameTime,
    snapshot: event.hasSnapshot
      ? {
          frame_time: round(event.startTime + 1.5),
          box,
          area: 9_000,
          region: [0, 0, 720, 720],
          score: event.topScore,
          attributes: [],
        }
      : null,
    ...(isLatest ? { snapshot_clean: event.hasSnapshot, computed_score: event.topScore } : {}),
    label: event.label,
    sub_label: event.subLabel === null ? null : [event.subLabel, event.subLabelScore],
    top_score: event.topScore,
    false_positive: false,
    start_time: event.startTime,
    end_time: event.endTime,
    score: event.topScore,
    box,
    area: Math.round(w * detectWidth * h * detectHeight),
    ratio: round((w * detectWidth) / (h * detectHeight)),
    region: [0, 0, 720, 720],
    active: event.endTime === null,
    stationary: false,
    motionless_count: 0,
    position_changes: 1,
    current_zones: event.zones,
    entered_zones: event.zones,
    has_clip: event.hasClip,
    has_snapshot: event.hasSnapshot,
    attributes: {},
    current_attributes: [],
    pending_loitering: false,
    max_severity: event.severity,
    current_estimated_speed: 0,
    average_estimated_speed: 0,
    velocity_angle: 0,
    path_data: event.path.map(([px, py, at]) => [[px, py], at]),
    recognized_license_plate: null,
  };
}

/** Returns a review segment as in the HTTP API; MQTT messages have no `has_been_reviewed`. */
export function toHttpReview(
  review: FrigateReview,
  events: readonly FrigateEvent[],
): Record<string, unknown> {
  const own = review.eventIds.flatMap((id) => events.filter((event) => event.id === id));
  const objects = own.filter(({ type }) => type !== 'audio');
  const named = objects.filter(({ subLabel }) => subLabel !== null);
  return {
    id: review.id,
    camera: review.camera,
    start_time: review.startTime,
    end_time: review.endTime,
    has_been_reviewed: review.hasBeenReviewed,
    severity: review.severity,
    thumb_path: `/media/frigate/clips/review/thumb-${review.camera}-${review.id}.webp`,
    data: {
      detections: [...review.eventIds],
      objects: unique(
        objects.map(({ label, subLabel }) => (subLabel === null ? label : `${label}-verified`)),
      ),
      sub_labels: unique(named.map(({ subLabel }) => subLabel)),
      zones: unique(objects.flatMap(({ zones }) => zones)),
      audio: unique(own.filter(({ type }) => type === 'audio').map(({ label }) => label)),
    },
  };
}

const unique = <T>(values: readonly T[]) => [...new Set(values)];

/** Whether a version such as `0.17.2` is the given one or newer. */
export function isFrom(version: string, first: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = first.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
