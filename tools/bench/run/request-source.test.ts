import { describe, expect, it } from 'vitest';
import { createRequestSource } from './request-source.js';

describe('createRequestSource', () => {
  it('for a shifting window, varies the start by request and keeps the end', () => {
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

  it('for each of many, uses all before repeating any', () => {
    const source = createRequestSource({ kind: 'each-of-many', path: '/videos/', first: 11, count: 1_000 });
    const paths = Array.from({ length: 1_000 }, (_, number) => source(number).path);
    expect(new Set(paths).size).toBe(1_000);
    expect(paths.every((path) => /^\/videos\/(1[1-9]|[2-9]\d|\d{3}|10(0\d|10))$/.test(path))).toBe(true);
    expect(source(1_000).path).toBe(paths[0]);
  });

  it('for new recordings, posts different keys', () => {
    const source = createRequestSource({ kind: 'new-recordings', path: '/videos' });
    const paths = [1, 2].map((number) => JSON.parse(source(number).body ?? '{}').video_path);
    expect(paths).toEqual(['bench/1/video.mp4', 'bench/2/video.mp4']);
  });
});
