import { describe, expect, it } from 'vitest';
import { parseMemory } from './process-figures.js';

const rollup = `5608d14ee000-7ffe1af2d000 ---p 00000000 00:00 0                          [rollup]
Rss:               90000 kB
Pss:               70000 kB
Pss_Dirty:           112 kB
Pss_Anon:          30000 kB
Pss_File:          10000 kB
Pss_Shmem:         30000 kB
`;

describe('parseMemory', () => {
  it('with shared memory, returns it separately', () => {
    expect(parseMemory(rollup)).toEqual({ bytes: 40_000 * 1024, sharedBytes: 30_000 * 1024 });
  });
});
