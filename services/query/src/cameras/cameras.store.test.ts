import { describe, expect, it } from 'vitest';
import { mergeCameras } from './cameras.store.js';

const lastRecordingAt = new Date('2026-05-01T08:00:00.250Z');

describe('mergeCameras', () => {
  it('a camera of the settings that recorded, has what both say', () => {
    const settings = [{ id: 'garden', name: 'Garden', stream_url: 'rtsp://me:pw@cam/1', enabled: false }];
    expect(mergeCameras(settings, [{ id: 'garden', recordings: 3, lastRecordingAt }])).toEqual([
      {
        id: 'garden',
        name: 'Garden',
        stream_url: 'rtsp://cam/1',
        enabled: false,
        last_recording_at: '2026-05-01T08:00:00.250Z',
        recordings: 3,
      },
    ]);
  });

  it('one that is only named and one that only recorded, are filled up', () => {
    const seen = [{ id: 'feeder', recordings: 1, lastRecordingAt: null }];
    expect(mergeCameras([{ id: 'new', name: '' }], seen)).toEqual([
      { id: 'new', name: 'new', stream_url: null, enabled: true, last_recording_at: null, recordings: 0 },
      {
        id: 'feeder',
        name: 'feeder',
        stream_url: null,
        enabled: true,
        last_recording_at: null,
        recordings: 1,
      },
    ]);
  });

  it('an id that stands twice in the settings, appears once as it stands first', () => {
    const settings = [{ id: 'a', name: 'First' }, { id: 'b' }, { id: 'a', name: 'Second' }];
    expect(mergeCameras(settings, []).map(({ id, name }) => [id, name])).toEqual([
      ['a', 'First'],
      ['b', 'b'],
    ]);
  });
});
