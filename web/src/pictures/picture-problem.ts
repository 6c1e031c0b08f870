/** Why there is no picture. */
export type PictureFailure = 'purged' | 'missing' | 'damaged' | 'deleted' | 'locked' | 'unknown';

/** What is known of a picture that did not load; `here` when it is there by now. */
export type PictureProblem =
  | { readonly kind: 'here' }
  | { readonly kind: 'pending'; readonly videoId: number | undefined }
  | { readonly kind: 'failed'; readonly why: PictureFailure };

interface Refusal {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly video_id?: unknown;
}

const failures: Readonly<Record<string, PictureFailure>> = {
  media_missing: 'missing',
  media_purged: 'purged',
  recording_deleted: 'deleted',
  video_not_found: 'deleted',
  detection_not_found: 'deleted',
  unlock_required: 'locked',
};
const reasons: readonly unknown[] = ['purged', 'missing', 'damaged'] satisfies PictureFailure[];

/** Reads a refusal of the hub to send a picture. */
export function readRefusal(status: number, { code, reason, video_id }: Refusal): PictureProblem {
  if (status >= 500 || status === 429 || reason === 'pending')
    return { kind: 'pending', videoId: typeof video_id === 'number' ? video_id : undefined };
  if (reasons.includes(reason)) return { kind: 'failed', why: reason as PictureFailure };
  return { kind: 'failed', why: failures[String(code)] ?? 'unknown' };
}
