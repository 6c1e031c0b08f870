import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldersOf } from './common-config.js';

describe('foldersOf', () => {
  it('without a folder of the recordings, returns the one in the data folder', () => {
    const dataDir = resolve('data');
    expect(foldersOf({ dataDir: './data' })).toEqual({ dataDir, recordingsDir: resolve('data/recordings') });
  });

  it('with a folder of the recordings, returns its absolute path', () => {
    const { recordingsDir } = foldersOf({ dataDir: '/data', recordingsDir: 'videos' });
    expect(recordingsDir).toBe(resolve('videos'));
  });
});
