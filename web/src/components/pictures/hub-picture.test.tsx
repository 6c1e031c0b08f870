import { describe, expect, it } from 'vitest';
import { readRefusal, srcSetOf } from './hub-picture';

describe('srcSetOf', () => {
  it('for a crop or poster of the hub, lists several widths', () => {
    expect(srcSetOf('/api/ui/detections/5/crop')).toBe(
      [160, 320, 640, 960, 1280]
        .map((width) => `/api/ui/detections/5/crop?width=${width} ${width}w`)
        .join(', '),
    );
    expect(srcSetOf('api/ui/videos/5/poster')).toMatch(
      /^\/api\/ui\/videos\/5\/poster\?width=320 320w, .* 1280w$/,
    );
  });

  it('for a poster below a base path, lists several widths', () => {
    expect(srcSetOf('/birds/api/ui/videos/5/poster')).toMatch(
      /^\/birds\/api\/ui\/videos\/5\/poster\?width=320 320w, /,
    );
  });

  it.each([
    'https://birds.example/api/ui/detections/5/crop',
    '/api/ui/videos/5/spectrogram',
    '/api/ui/detections/5/crop?full=1',
    '/data/images/tit.jpg',
  ])('for %s, returns undefined', (address) => expect(srcSetOf(address)).toBeUndefined());
});

describe('readRefusal', () => {
  it.each([
    [503, { code: 'media_pending', video_id: 7 }, { kind: 'pending', videoId: 7 }],
    [503, { code: 'busy' }, { kind: 'pending', videoId: undefined }],
    [429, { code: 'too_many_requests' }, { kind: 'pending', videoId: undefined }],
    [409, { code: 'media_missing', reason: 'pending' }, { kind: 'pending', videoId: undefined }],
    [409, { code: 'media_missing', reason: 'purged' }, { kind: 'failed', why: 'purged' }],
    [404, { code: 'media_missing', reason: 'damaged' }, { kind: 'failed', why: 'damaged' }],
    [404, { code: 'media_missing', reason: 'none' }, { kind: 'failed', why: 'none' }],
    [404, { code: 'media_missing' }, { kind: 'failed', why: 'missing' }],
    [410, { code: 'media_purged' }, { kind: 'failed', why: 'purged' }],
    [410, { code: 'recording_deleted' }, { kind: 'failed', why: 'deleted' }],
    [403, { code: 'unlock_required' }, { kind: 'failed', why: 'locked' }],
    [400, { code: 'invalid_request' }, { kind: 'failed', why: 'unknown' }],
  ])('for status %i with %j, returns %j', (status, body, problem) => {
    expect(readRefusal(status, body)).toEqual(problem);
  });
});
