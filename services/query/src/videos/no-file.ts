import { HubError } from '@birdhub/shared/errors';
import type { MediaState } from './video-detail.store.js';

const retryAfterSeconds = 5;

/** The answer where a file of a recording is not there. */
export function noFile(media: MediaState): HubError {
  if (media === 'pending') return new HubError('media_pending', { retryAfterSeconds });
  return new HubError(media === 'purged' ? 'media_purged' : 'media_missing');
}
