import { describe, expect, it } from 'vitest';
import { contentTypeOf, isRecordingPath, mediaKindOf } from './recording-path.js';

describe('contentTypeOf', () => {
  it.each([
    ['a/video.mp4', 'video/mp4'],
    ['VIDEO.MP4', 'video/mp4'],
    ['a.tar.webm', 'video/webm'],
    ['dawn.wav', 'audio/wav'],
    ['dawn.MP3', 'audio/mpeg'],
    ['dawn.flac', 'audio/flac'],
    ['dawn.ogg', 'audio/ogg'],
    ['dawn.opus', 'audio/ogg'],
    ['dawn.m4a', 'audio/mp4'],
    ['dawn.aac', 'audio/aac'],
    ['spectrogram_200.jpg', 'image/jpeg'],
    ['x.png', 'image/png'],
  ])('%s, is %s', (path, type) => {
    expect(contentTypeOf(path)).toBe(type);
  });

  it.each([
    'a',
    '.mp4',
    '.wav',
    'a.mp4.txt',
    'a.html',
    'a.svg',
    'a.js',
    'a.mp4/b',
    'a.constructor',
    'a.m3u8',
    'a.wav.exe',
  ])('%s, is not served', (path) => {
    expect(contentTypeOf(path)).toBeUndefined();
  });
});

describe('mediaKindOf', () => {
  it.each(['a.wav', 'a.MP3', 'a/b.flac', 'a.ogg', 'a.oga', 'a.opus', 'a.m4a', 'a.aac'])(
    '%s, is audio',
    (path) => {
      expect(mediaKindOf(path)).toBe('audio');
    },
  );

  it.each(['a.mp4', 'a.mkv', 'a.webm', 'a', 'wav', '.wav', 'a.wav/b', 'a.wav.mp4'])(
    '%s, is video',
    (path) => {
      expect(mediaKindOf(path)).toBe('video');
    },
  );
});

describe('isRecordingPath', () => {
  it.each([
    ['a.mp4', true],
    ['a.MKV', true],
    ['a.opus', true],
    ['spectrogram_100.jpg', false],
    ['notes.txt', false],
    ['mp4', false],
  ])('%s, is %s', (path, isRecording) => {
    expect(isRecordingPath(path)).toBe(isRecording);
  });
});
