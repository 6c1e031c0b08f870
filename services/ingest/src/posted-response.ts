/** The result of storing what was posted. */
interface PostedResult {
  /** Undefined when nothing was stored. */
  readonly videoId: number | undefined;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly detections: number;
  readonly dropped: number;
  readonly visitIds: readonly number[];
  /** Why the picture was not stored, if it was optional. */
  readonly pictureProblem?: string | undefined;
}

function messageOf({ deleted, videoId, pictureProblem }: PostedResult): string {
  if (deleted) return 'deleted before';
  if (videoId === undefined) return 'below the minimum confidence, or noise';
  return pictureProblem === undefined ? 'success' : `success without the picture: ${pictureProblem}`;
}

/** Returns the response to a post of a recording or a sighting. */
export function toPostedResponse(result: PostedResult) {
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
