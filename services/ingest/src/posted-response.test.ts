import { describe, expect, it } from 'vitest';
import { toPostedResponse } from './posted-response.js';

const stored = { videoId: 7, created: true, deleted: false, detections: 2, dropped: 1, visitIds: [3, 4] };

describe('toPostedResponse', () => {
  it('for a stored recording, has its id, counts and visits', () => {
    expect(toPostedResponse(stored)).toEqual({
      message: 'success',
      video_id: 7,
      created: true,
      detections: 2,
      dropped: 1,
      visits: [3, 4],
    });
  });

  it('for a recording that was deleted, says so', () => {
    expect(toPostedResponse({ ...stored, deleted: true })).toMatchObject({
      message: 'deleted before',
      deleted: true,
    });
  });

  it('when nothing was stored, names both possible reasons', () => {
    expect(toPostedResponse({ ...stored, videoId: undefined })).toMatchObject({
      message: 'below the minimum confidence, or noise',
      video_id: null,
    });
  });
});
