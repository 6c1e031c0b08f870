import type { SightingResult } from './sightings/sightings.js';

function messageOf({ deleted, videoId, pictureProblem }: SightingResult): string {
  if (deleted) return 'deleted before';
  if (videoId === undefined) return 'below the minimum confidence, or noise';
  return pictureProblem === undefined ? 'success' : `success without the picture: ${pictureProblem}`;
}

/** Returns the response to a post of a recording or a sighting. */
export function toPostedResponse(result: SightingResult) {
  const { videoId, created, deleted, detections, dropped, visitIds } = result;
  return {
    message: messageOf(result),
    video_id: videoId ?? null,
    created,
    ...(deleted && { deleted: true }),
    detections,
    dropped,
    visits: [...visitIds],
  };
}
