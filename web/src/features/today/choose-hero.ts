import type { Highlight } from '../../components/highlights/highlight-reel';
import { bestDetection, momentOf } from '../../components/visits/describe-visit';
import { isNamed, type Visit } from '../../components/visits/summarize-day';

/** The bird at the top of the page. */
export interface Hero {
  readonly kind: 'newest' | 'best';
  readonly videoId: number;
  readonly detectionId: number | undefined;
  readonly speciesName: string;
  readonly speciesId: number;
  readonly birds: number;
  /** When the visit ended or the bird was seen. */
  readonly at: string;
  readonly mediaKind: Highlight['media_kind'];
  /** Second of the recording at which the bird is seen best; undefined without one. */
  readonly seconds: number | undefined;
  readonly thumbhash: string | null;
  /** Audio detection of an audio-only visit. */
  readonly heard: Visit['heard'];
}

const maxNewestAgeMs = 30 * 60_000;

function toHero(visit: Visit): Hero {
  const { videoId, detectionId } = momentOf(visit);
  const best = bestDetection(visit);
  return {
    kind: 'newest',
    videoId,
    detectionId,
    speciesName: visit.species.name,
    speciesId: visit.species.id,
    birds: visit.max_simultaneous,
    at: visit.end_time,
    mediaKind: best ? visit.media_kind : 'audio',
    seconds: visit.best?.seconds,
    thumbhash: visit.thumbhash,
    heard: visit.heard,
  };
}

const hasPicture = (visit: Visit) =>
  bestDetection(visit) !== undefined && (visit.media_kind === 'video' || visit.media_kind === 'image');

/**
 * Chooses the bird at the top of the page: the newest visit while it is recent, else the best moment of the day, else
 * the newest visit with video, else the newest with audio only. `visits` are those of the day, newest first.
 */
export function chooseHero(
  visits: readonly Visit[],
  highlights: readonly Highlight[],
  now: number,
): Hero | undefined {
  const named = visits.filter(isNamed);
  // The picture of a visit that has just started is not ready yet.
  const newest =
    named.find((visit) => hasPicture(visit) && visit.thumbhash !== null) ?? named.find(hasPicture);
  if (newest && now - Date.parse(newest.end_time) < maxNewestAgeMs) return toHero(newest);
  const best = highlights.find(({ source, media_kind }) => source === 'video' && media_kind !== null);
  if (best) {
    return {
      kind: 'best',
      videoId: best.video_id,
      detectionId: best.detection_id,
      speciesName: best.species.name,
      speciesId: best.species.id,
      birds: best.max_simultaneous,
      at: best.start_time,
      mediaKind: best.media_kind,
      seconds: best.seconds,
      thumbhash: best.thumbhash,
      heard: null,
    };
  }
  const last = newest ?? named.find(({ heard }) => heard !== null);
  return last && toHero(last);
}
