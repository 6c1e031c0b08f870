import type { VisitMoment } from './describe-visit';

/** Where a link to a recording leads: to the second in it that a detection begins. */
export function linkToMoment({ videoId, detectionId }: VisitMoment) {
  return {
    to: '/videos/$id',
    params: { id: String(videoId) },
    search: detectionId === undefined ? {} : { detection: detectionId },
  } as const;
}
