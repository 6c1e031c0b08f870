import { describe, expect, it } from 'vitest';
import { downloadName, videoUrls } from './public-urls.js';

describe('videoUrls', () => {
  it('below a prefix, start with it', () => {
    expect(videoUrls('/birds', 7, 'data/recordings/2026/a/spectrogram_200.jpg')).toEqual({
      video_url: '/birds/api/ui/videos/7/stream',
      poster_url: '/birds/api/ui/videos/7/poster',
      spectrogram_url: '/birds/data/recordings/2026/a/spectrogram_200.jpg',
    });
  });

  it('of a path with reserved characters, are escaped', () => {
    expect(videoUrls('', 7, 'a b/50%?#ü.jpg').spectrogram_url).toBe(
      '/data/recordings/a%20b/50%25%3F%23%C3%BC.jpg',
    );
  });

  it.each([null, ''])('of the path %j, are null for the spectrogram', (path) => {
    expect(videoUrls('', 7, path).spectrogram_url).toBeNull();
  });
});

const start = Date.parse('2026-05-01T23:15:30.900Z');

describe('downloadName', () => {
  it('of a recording with a camera, has local date, local time and the camera', () => {
    const named = { start, cameraId: 'garden', videoPath: '2026/05/01/video.mp4' };
    expect(downloadName(named, 'Europe/Prague')).toBe('2026-05-02_011530_garden.mp4');
  });

  it('without a camera, has date and time only', () => {
    expect(downloadName({ start, cameraId: '', videoPath: 'a.webm' }, 'UTC')).toBe('2026-05-01_231530.webm');
  });

  it('of a camera with characters that file systems refuse, has replacements', () => {
    const named = { start, cameraId: '../a:b\r\n"c"', videoPath: 'a.mp4' };
    expect(downloadName(named, 'UTC')).toBe('2026-05-01_231530_.._a_b___c_.mp4');
  });
});
