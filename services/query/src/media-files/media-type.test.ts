import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.js';

describe('mediaTypeOf', () => {
  it.each([
    ['a/video.mp4', 'video/mp4'],
    ['VIDEO.MP4', 'video/mp4'],
    ['a.tar.webm', 'video/webm'],
    ['spectrogram_200.jpg', 'image/jpeg'],
    ['x.png', 'image/png'],
  ])('%s, is %s', (path, type) => {
    expect(mediaTypeOf(path)).toBe(type);
  });

  it.each(['a', '.mp4', 'a.mp4.txt', 'a.html', 'a.svg', 'a.js', 'a.mp4/b', 'a.constructor'])(
    '%s, is not given out',
    (path) => {
      expect(mediaTypeOf(path)).toBeUndefined();
    },
  );
});
