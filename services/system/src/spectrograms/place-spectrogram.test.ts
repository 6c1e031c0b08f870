import { describe, expect, it } from 'vitest';
import { spectrogramName } from './place-spectrogram.js';

describe('spectrogramName', () => {
  it('a video in a folder of its own, is the plain one', () => {
    expect(spectrogramName('video.mp4', 100, ['video.mp4', 'notes.txt'])).toBe('spectrogram_100.jpg');
  });

  it('videos that share a folder, is that of each', () => {
    expect(spectrogramName('a.mp4', 100, ['a.mp4', 'b.MP4'])).toBe('a.spectrogram_100.jpg');
  });
});
