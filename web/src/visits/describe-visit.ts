import type { components } from '../api/schema';

export type TimelineItem = components['schemas']['TimelineItem'];
type Detection = TimelineItem['detections'][number];

/** Where to watch a visit: a recording, and what in it shows the bird best. */
export interface VisitMoment {
  readonly videoId: number;
  /** Undefined where nothing was found in the recording. */
  readonly detectionId: number | undefined;
}

/** Where in a recording it was heard, in seconds. */
export type HeardMoment = NonNullable<TimelineItem['heard']>;

/** What is said of a visit, or of a recording that belongs to none. */
export interface VisitFacts {
  /** Whether a bird was found in it at all. */
  readonly isVisit: boolean;
  readonly moment: VisitMoment;
  /** Where a bird that was not seen was heard best. */
  readonly heard: HeardMoment | null;
  /** The detection that shows it best; undefined where it was only heard. */
  readonly best: Detection | undefined;
  readonly isHeardOnly: boolean;
  /** Whether a person has looked at all of it. */
  readonly isReviewed: boolean;
  /** How sure the surest detection is (0 to 1), when nobody has looked at any. */
  readonly unreviewedConfidence: number | undefined;
  readonly seconds: number;
}

const surest = (detections: readonly Detection[]): Detection | undefined =>
  detections.reduce<Detection | undefined>(
    (best, one) => (best === undefined || one.confidence > best.confidence ? one : best),
    undefined,
  );

/** The detection that shows the bird of a visit best; undefined where it was only heard. */
export function bestDetection({ detections }: Pick<TimelineItem, 'detections'>): Detection | undefined {
  return surest(detections.filter(({ source }) => source === 'video'));
}

/** Where to watch a visit: its best picture, else its surest sound, else the recording itself. */
export function momentOf({ id, detections }: Pick<TimelineItem, 'id' | 'detections'>): VisitMoment {
  const shown = bestDetection({ detections }) ?? surest(detections);
  return { videoId: shown?.video_id ?? -id, detectionId: shown?.id };
}

/** Reads off an item of the timeline what its card says. */
export function describeVisit(item: TimelineItem): VisitFacts {
  const { detections, start_time, end_time } = item;
  const best = bestDetection(item);
  const isUntouched = !detections.some(({ reviewed }) => reviewed);
  return {
    isVisit: item.timeline_kind === 'visit',
    moment: momentOf(item),
    best,
    heard: item.heard,
    isHeardOnly: detections.length > 0 && best === undefined,
    isReviewed: detections.length > 0 && detections.every(({ reviewed }) => reviewed),
    unreviewedConfidence: isUntouched ? surest(detections)?.confidence : undefined,
    seconds: Math.max(1, (Date.parse(end_time) - Date.parse(start_time)) / 1000),
  };
}
