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
        stream_url: 'rtsp://cam/1',
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
    ['rtsp://10.0.0.5:554/stream1', 'rtsp://10.0.0.5:554/stream1'],
    ['rtsp://[fe80::1]:554/a', 'rtsp://[fe80::1]:554/a'],
    ['http://cam/video@2x.mjpg?fps=5', 'http://cam/video@2x.mjpg?fps=5'],
    ['/dev/video0', '/dev/video0'],
    ['http://cam.lan:8080/video@2x.mjpg', 'http://cam.lan:8080/video@2x.mjpg'],
    ['http://cam/my garden', 'http://cam/my garden'],
    ['', ''],
  ])('%s without credentials, is unchanged', (url, shown) => {
    expect(publicStreamUrl(url)).toBe(shown);
  });

  it.each([
    ['rtsp://admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp://admin@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp://admin:se@cr:et@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp://admin:se/c?r#et@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['admin:secret@10.0.0.5/live', '10.0.0.5/live'],
    [' rtsp://admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['\trtsp://admin:secret@10.0.0.5/live\n', 'rtsp://10.0.0.5/live'],
    ['\u00a0rtsp://admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['\u3000rtsp://admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['\ufeff\u200brtsp://admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rt\tsp:\n//admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp : // admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp:/\t/admin:secret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp:// admin:se cret@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp://admin:secret @10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['rtsp:\\\\admin:secret@10.0.0.5/live', 'rtsp:\\\\10.0.0.5/live'],
    ['rtsp:/admin:secret@10.0.0.5/live', 'rtsp:/10.0.0.5/live'],
    ['rtsp:admin:secret@10.0.0.5/live', '10.0.0.5/live'],
    ['rtsp://admin:12/34@10.0.0.5/live', 'rtsp://10.0.0.5/live'],
    ['http://cam/snap.cgi? pwd\t=\nsecret', 'http://cam/snap.cgi? pwd=***'],
    ['http://cam/snap.cgi?user=me&pwd=secret&x=1', 'http://cam/snap.cgi?user=me&pwd=***&x=1'],
    ['http://cam/live?access_token=abc#t', 'http://cam/live?access_token=***#t'],
    ['http://cam/video.cgi?loginuse=me&loginpas=secret', 'http://cam/video.cgi?loginuse=me&loginpas=***'],
    ['http://cam/live?user=me&pw=secret&psw=secret', 'http://cam/live?user=me&pw=***&psw=***'],
    [
      'rtsp://10.0.0.5:554/user=me_password=secret_channel=1_stream=0.sdp?real_stream',
      'rtsp://10.0.0.5:554/user=me_password=***_channel=1_stream=0.sdp?real_stream',
    ],
    [
      'rtsp://10.0.0.5:554/user=me&password=secret&channel=1',
      'rtsp://10.0.0.5:554/user=me&password=***&channel=1',
    ],
    [
      'http://10.0.0.9:1984/api/stream.mjpeg?src=rtsp://me:se@cret@10.0.0.5/1&x=2',
      'http://10.0.0.9:1984/api/stream.mjpeg?src=rtsp://10.0.0.5/1&x=2',
    ],
    [
      'http://10.0.0.9:1984/api/stream.mjpeg?src=rtsp%3A%2F%2Fme%3Asecret%4010.0.0.5',
      'http://10.0.0.9:1984/api/stream.mjpeg?src=rtsp%3A%2F%2F10.0.0.5',
    ],
  ])('%s, becomes %s', (url, shown) => {
    expect(publicStreamUrl(url)).toBe(shown);
  });
});
