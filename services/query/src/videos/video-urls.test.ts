import { describe, expect, it } from 'vitest';
import { videoUrls } from './video-urls.js';

describe('videoUrls', () => {
  it('below a prefix, all start with it', () => {
    expect(videoUrls('/birds', 7, 'data/recordings/2026/a/spectrogram_200.jpg')).toEqual({
      video_url: '/birds/api/ui/videos/7/stream',
      poster_url: '/birds/api/ui/videos/7/poster',
      spectrogram_url: '/birds/data/recordings/2026/a/spectrogram_200.jpg',
    });
  });

  it('a path with signs that mean something in an address, is escaped', () => {
    expect(videoUrls('', 7, 'a b/50%?#ü.jpg').spectrogram_url).toBe(
      '/data/recordings/a%20b/50%25%3F%23%C3%BC.jpg',
    );
  });

  it.each([null, ''])('%j as path, is no spectrogram', (path) => {
    expect(videoUrls('', 7, path).spectrogram_url).toBeNull();
  });
});
