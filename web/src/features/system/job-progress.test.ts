import { describe, expect, test } from 'vitest';
import { percentDone } from './job-progress';

const progress = { generated: 0, failed: 0, skipped: 0, current_video_id: null };

describe('percentDone', () => {
  test('of a job that does not know yet how much there is, is unknown', () => {
    expect(percentDone({ progress: { ...progress, processed: 0, total: 0 } })).toBeUndefined();
  });

  test('of a job that is half done, is 50', () => {
    expect(percentDone({ progress: { ...progress, processed: 5, total: 10 } })).toBe(50);
  });

  test('of a job that found more than it knew of, is 100 at most', () => {
    expect(percentDone({ progress: { ...progress, processed: 12, total: 10 } })).toBe(100);
  });
});
