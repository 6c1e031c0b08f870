import type { components } from '../../api/schema';
import type { Shareable } from '../share/share-button';

export type TimelineItem = components['schemas']['TimelineItem'];
type Detection = TimelineItem['detections'][number];

/** Where to watch a visit: a recording, and the detection that shows the bird best. */
interface VisitMoment {
  readonly videoId: number;
  /** Undefined for a recording without detections. */
  readonly detectionId: number | undefined;
  /** Second of the recording at which the bird is seen best; by default, the start of the detection. */
  readonly seconds?: number | undefined;
}

/** Part of a recording with an audio detection, in seconds. */
export type HeardMoment = NonNullable<TimelineItem['heard']>;

/** Data for the card of a visit, or of a recording without a visit. */
export interface VisitFacts {
  /** False for a recording without a visit. */
  readonly isVisit: boolean;
  readonly moment: VisitMoment;
  /** The part of a video to play as a preview; undefined without a video. */
  readonly preview: { readonly videoId: number; readonly from: number } | undefined;
  /** Best audio detection of an audio-only visit. */
  readonly heard: HeardMoment | null;
  /** Best video detection; undefined for an audio-only visit. */
  readonly best: Detection | undefined;
  readonly isHeardOnly: boolean;
  /** Whether there is no media: a person reported it without a photo. */
  readonly hasNoMedia: boolean;
  /** Fallback if the picture of `best` does not exist: the best video detection in another recording. */
  readonly nextBestId: number | undefined;
  /** Whether all detections are reviewed. */
  readonly isReviewed: boolean;
  /** Highest confidence (0 to 1) when no detection is reviewed. */
  readonly unreviewedConfidence: number | undefined;
  readonly seconds: number;
  /** The blurred copy of the picture of `best`. */
  readonly thumbhash: string | null;
}

const mostConfident = (detections: readonly Detection[]): Detection | undefined =>
  detections.reduce<Detection | undefined>(
    (best, one) => (best === undefined || one.confidence > best.confidence ? one : best),
    undefined,
  );

type WithDetections = Pick<TimelineItem, 'detections'> & Partial<Pick<TimelineItem, 'best'>>;

/** Returns the video detection marked as best by the hub, else the most confident one; undefined if audio-only. */
export function bestDetection({ best, detections }: WithDetections): Detection | undefined {
  const seen = detections.filter(({ source }) => source === 'video');
  return seen.find(({ id }) => id === best?.detection_id) ?? mostConfident(seen);
}

/** Returns where to watch a visit: its best moment, else its most confident detection, else the recording. */
export function momentOf(item: WithDetections & Pick<TimelineItem, 'id'>): VisitMoment {
  const { id, best, detections } = item;
  const shown = bestDetection(item) ?? mostConfident(detections);
  return {
    videoId: best?.video_id ?? shown?.video_id ?? -id,
    detectionId: best?.detection_id ?? shown?.id,
    seconds: best?.seconds,
  };
}

/** A preview starts this long before the best moment. */
const previewLeadSeconds = 0.5;

function previewOf({ id, best, media_kind }: TimelineItem): VisitFacts['preview'] {
  if (!best) return media_kind === 'video' && id < 0 ? { videoId: -id, from: 0 } : undefined;
  if (best.media_kind !== 'video') return undefined;
  return { videoId: best.video_id, from: Math.max(0, best.seconds - previewLeadSeconds) };
}

/** Derives what the card of a timeline item shows. */
export function describeVisit(item: TimelineItem): VisitFacts {
  const { detections, start_time, end_time } = item;
  const best = bestDetection(item);
  const isUnreviewed = !detections.some(({ reviewed }) => reviewed);
  return {
    isVisit: item.timeline_kind === 'visit',
    moment: momentOf(item),
    preview: previewOf(item),
    best,
    heard: item.heard,
    thumbhash: item.thumbhash,
    isHeardOnly: detections.length > 0 && best === undefined,
    hasNoMedia: item.media_kind === null,
    nextBestId: bestDetection({
      detections: detections.filter(({ video_id }) => video_id !== best?.video_id),
    })?.id,
    isReviewed: detections.length > 0 && detections.every(({ reviewed }) => reviewed),
    unreviewedConfidence: isUnreviewed ? mostConfident(detections)?.confidence : undefined,
    seconds: Math.max(1, (Date.parse(end_time) - Date.parse(start_time)) / 1000),
  };
}

/** Link properties for a recording, opened at the second of a moment, or else at its detection. */
export function linkToMoment({ videoId, detectionId, seconds }: VisitMoment) {
  return {
    to: '/videos/$id',
    params: { id: String(videoId) },
    search: {
      ...(detectionId !== undefined && { detection: detectionId }),
      ...(seconds !== undefined && { t: Math.round(seconds * 10) / 10 }),
    },
  } as const;
}

/** Returns what to share of a visit: the recording that shows it best, from the best second on. */
export function shareOfVisit(item: WithDetections & Pick<TimelineItem, 'id'>): Shareable {
  const { seconds = 0 } = item.best ?? {};
  return { videoId: momentOf(item).videoId, ...(seconds >= 1 && { t: Math.floor(seconds) }) };
}
