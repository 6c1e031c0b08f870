import { describe, expect, it } from 'vitest';
import { attachment, downloadName } from './download-name.js';

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

describe('attachment', () => {
  it('a plain name, is quoted', () => {
    expect(attachment('2026-05-01_231530_garden 2.mp4')).toBe(
      'attachment; filename="2026-05-01_231530_garden 2.mp4"',
    );
  });

  it('a name beyond ASCII, is given twice', () => {
    expect(attachment("zahrada č'1.mp4")).toBe(
      `attachment; filename="zahrada _'1.mp4"; filename*=UTF-8''zahrada%20%C4%8D%271.mp4`,
    );
  });

  it('a name with quotes and percent signs, does not end the header', () => {
    expect(attachment('a"b\\c%41.mp4')).toBe(
      `attachment; filename="a_b_c_41.mp4"; filename*=UTF-8''a%22b%5Cc%2541.mp4`,
    );
  });
});
