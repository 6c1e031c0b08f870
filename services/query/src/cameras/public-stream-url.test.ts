import { describe, expect, it } from 'vitest';
import { publicStreamUrl } from './public-stream-url.js';

describe('publicStreamUrl', () => {
  it.each([
    ['rtsp://10.0.0.5:554/stream1', 'rtsp://10.0.0.5:554/stream1'],
    ['rtsp://[fe80::1]:554/a', 'rtsp://[fe80::1]:554/a'],
    ['http://cam/video@2x.mjpg?fps=5', 'http://cam/video@2x.mjpg?fps=5'],
    ['/dev/video0', '/dev/video0'],
    ['http://cam.lan:8080/video@2x.mjpg', 'http://cam.lan:8080/video@2x.mjpg'],
    ['http://cam/my garden', 'http://cam/my garden'],
    ['', ''],
  ])('%s without credentials, stays as it is', (url, shown) => {
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
  ])('%s, becomes %s', (url, shown) => {
    expect(publicStreamUrl(url)).toBe(shown);
  });
});
