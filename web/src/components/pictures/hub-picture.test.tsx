import { describe, expect, it } from 'vitest';
import { readRefusal } from './hub-picture';

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
  ])('%i with %j, is %j', (status, body, problem) => {
    expect(readRefusal(status, body)).toEqual(problem);
  });
});
