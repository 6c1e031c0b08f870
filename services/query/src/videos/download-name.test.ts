import { describe, expect, it } from 'vitest';
import { downloadName } from './download-name.js';

const start = Date.parse('2026-05-01T23:15:30.900Z');

describe('downloadName', () => {
  it('a recording of a camera, has local date, local time and the camera', () => {
    const named = { start, cameraId: 'garden', videoPath: '2026/05/01/video.mp4' };
    expect(downloadName(named, 'Europe/Prague')).toBe('2026-05-02_011530_garden.mp4');
  });

  it('no camera, has the time alone', () => {
    expect(downloadName({ start, cameraId: '', videoPath: 'a.webm' }, 'UTC')).toBe('2026-05-01_231530.webm');
  });

  it('a camera with signs that file systems refuse, has others there', () => {
    const named = { start, cameraId: '../a:b\r\n"c"', videoPath: 'a.mp4' };
    expect(downloadName(named, 'UTC')).toBe('2026-05-01_231530_.._a_b___c_.mp4');
  });
});
