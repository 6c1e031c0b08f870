import { describe, expect, it } from 'vitest';
import { liveKindOf } from './live-kind.js';

describe('liveKindOf', () => {
  it.each([
    ['http://cam/api/stream.mjpeg?src=garden', 'mjpeg'],
    ['http://cam/snapshot.cgi', 'mjpeg'],
    ['http://cam/latest.JPG', 'picture'],
    ['http://cam/stream.m3u8?src=garden', 'hls'],
    ['http://cam/garden/whep', 'whep'],
    ['http://cam/api/stream.mp4?src=garden', 'none'],
    ['http://cam/live.FLV', 'none'],
    ['http://cam/manifest.mpd', 'none'],
    ['http://cam/live.ts', 'none'],
    ['http://cam/mp4', 'mjpeg'],
    ['http://cam/video?file=a.mp4', 'mjpeg'],
    ['rtsp://cam/1', 'none'],
    [undefined, 'none'],
  ])('the address %s, is of the kind %s', (address, kind) => {
    expect(liveKindOf(address)).toBe(kind);
  });
});
