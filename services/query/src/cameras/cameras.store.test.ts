import { describe, expect, it } from 'vitest';
import { mergeCameras, publicStreamUrl } from './cameras.store.js';

const lastRecordingAt = new Date('2026-05-01T08:00:00.250Z');

describe('mergeCameras', () => {
  it('a configured camera with recordings, has both kinds of data', () => {
    const settings = [{ id: 'garden', name: 'Garden', stream_url: 'rtsp://me:pw@cam/1', enabled: false }];
    expect(mergeCameras(settings, [{ id: 'garden', recordings: 3, lastRecordingAt }])).toEqual([
      {
        id: 'garden',
        name: 'Garden',
        stream_url: 'rtsp://cam',
        enabled: false,
        last_recording_at: '2026-05-01T08:00:00.250Z',
        recordings: 3,
      },
    ]);
  });

  it('cameras only configured or only recorded, have defaults for the other data', () => {
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

  it('an id that occurs twice in the settings, has its first entry', () => {
    const settings = [{ id: 'a', name: 'First' }, { id: 'b' }, { id: 'a', name: 'Second' }];
    expect(mergeCameras(settings, []).map(({ id, name }) => [id, name])).toEqual([
      ['a', 'First'],
      ['b', 'b'],
    ]);
  });
});

describe('publicStreamUrl', () => {
  it.each([
    ['rtsp://10.0.0.5:554/stream1', 'rtsp://10.0.0.5:554'],
    ['rtsp://[fe80::1]:554/a', 'rtsp://[fe80::1]:554'],
    ['http://cam/video@2x.mjpg?fps=5', 'http://cam'],
    ['http://cam.lan:8080/video@2x.mjpg', 'http://cam.lan:8080'],
    ['http://cam/my garden', 'http://cam'],
    ['10.0.0.5/live', '10.0.0.5'],
    ['/dev/video0', '/dev/video0'],
    ['', ''],
  ])('%s without credentials, becomes %s', (url, shown) => {
    expect(publicStreamUrl(url)).toBe(shown);
  });

  it.each([
    'rtsp://admin:secret@10.0.0.5/live',
    'rtsp://admin@10.0.0.5/live',
    'rtsp://admin:se@cr:et@10.0.0.5/live',
    ' rtsp://admin:secret@10.0.0.5/live',
    '\trtsp://admin:secret@10.0.0.5/live\n',
    '\u00a0rtsp://admin:secret@10.0.0.5/live',
    '\u3000rtsp://admin:secret@10.0.0.5/live',
    '\ufeff\u200brtsp://admin:secret@10.0.0.5/live',
    'rt\tsp:\n//admin:secret@10.0.0.5/live',
    'rtsp : // admin:secret@10.0.0.5/live',
    'rtsp:/\t/admin:secret@10.0.0.5/live',
    'rtsp:// admin:se cret@10.0.0.5/live',
    'rtsp://admin:secret @10.0.0.5/live',
    'rtsp://10.0.0.5/user=me_password=secret_channel=1_stream=0.sdp?real_stream',
    'rtsp://10.0.0.5/live/SECRETKEY',
    'rtsp://10.0.0.5?pwd=secret',
    'rtsp://10.0.0.5#secret',
    'rtsp://10.0.0.5/api/stream.mjpeg?src=rtsp://me:se@cret@10.0.0.6/1&x=2',
  ])('%j, becomes the scheme and host', (url) => {
    expect(publicStreamUrl(url)).toBe('rtsp://10.0.0.5');
  });

  it.each([
    ['rtsp:\\\\admin:secret@10.0.0.5/live', 'rtsp:\\\\10.0.0.5'],
    ['rtsp:/admin:secret@10.0.0.5/live', 'rtsp:/10.0.0.5'],
    ['rtsp:admin:secret@10.0.0.5/live', '10.0.0.5'],
    ['admin:secret@10.0.0.5/live', '10.0.0.5'],
  ])('%s in unusual form, becomes %s', (url, shown) => {
    expect(publicStreamUrl(url)).toBe(shown);
  });

  it.each([
    'rtsp://admin:se/c?r#et@10.0.0.5/live',
    'rtsp://admin:12/34@10.0.0.5/live',
    'rtsp://admin:se@c/ret@10.0.0.5/live',
    'rtsp://admin:12/34@10.0.0.5/live@SECRETKEY',
  ])('%s with a host that may be part of a password, is masked', (url) => {
    expect(publicStreamUrl(url)).toBe('rtsp://***');
  });
});
