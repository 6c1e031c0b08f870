import type { components } from '../api/schema';

export type TimelineItem = components['schemas']['TimelineItem'];
type Detection = TimelineItem['detections'][number];

/** What is said of a visit, or of a recording that belongs to none. */
export interface VisitFacts {
  /** Whether a bird was found in it at all. */
  readonly isVisit: boolean;
  /** The recording that it begins in. */
  readonly firstVideoId: number;
  /** The detection that shows it best; undefined where it was only heard. */
  readonly best: Detection | undefined;
  readonly isHeardOnly: boolean;
  /** Whether a person has looked at all of it. */
  readonly isReviewed: boolean;
  /** How sure the surest detection is (0 to 1), when nobody has looked and even that one is doubtful. */
  readonly doubt: number | undefined;
  readonly seconds: number;
}

/** Below it a detection is doubtful: the hub's own default, as its setting is for admins only. */
const sureEnough = 0.5;

const surest = (detections: readonly Detection[]): Detection | undefined =>
  detections.reduce<Detection | undefined>(
    (best, one) => (best === undefined || one.confidence > best.confidence ? one : best),
    undefined,
  );

/** Reads off an item of the timeline what its card says. */
export function describeVisit(item: TimelineItem): VisitFacts {
  const { detections, start_time, end_time } = item;
  const seen = detections.filter(({ source }) => source === 'video');
  const confidence = surest(detections)?.confidence ?? 1;
  const isUntouched = !detections.some(({ reviewed }) => reviewed);
  return {
    isVisit: item.timeline_kind === 'visit',
    firstVideoId: detections.at(-1)?.video_id ?? -item.id,
    best: surest(seen),
    isHeardOnly: detections.length > 0 && seen.length === 0,
    isReviewed: detections.length > 0 && detections.every(({ reviewed }) => reviewed),
    doubt: isUntouched && confidence < sureEnough ? confidence : undefined,
    seconds: Math.max(1, (Date.parse(end_time) - Date.parse(start_time)) / 1000),
  };
}
