import { describe, expect, it } from 'vitest';
import { createRequestSource } from './request-source.js';

describe('createRequestSource', () => {
  it('a shifting window, of any two numbers, starts at different milliseconds and ends at the same', () => {
    const source = createRequestSource({
      kind: 'shifting-window',
      path: '/t',
      start: 1_000_000,
      end: 2_000_000,
    });
    expect([source(0).path, source(7).path]).toEqual([
      '/t?start_time=1000&end_time=2000',
      '/t?start_time=1000.007&end_time=2000',
    ]);
  });

  it('each of some paths, beyond the last, begins again', () => {
    const source = createRequestSource({ kind: 'each', paths: ['/a', '/b'] });
    expect([0, 1, 2].map((number) => source(number).path)).toEqual(['/a', '/b', '/a']);
  });

  it('new recordings, of two numbers, are posted with different keys', () => {
    const source = createRequestSource({ kind: 'new-recordings', path: '/videos' });
    const paths = [1, 2].map((number) => JSON.parse(source(number).body ?? '{}').video_path);
    expect(paths).toEqual(['bench/1/video.mp4', 'bench/2/video.mp4']);
  });
});
