import { describe, expect, it } from 'vitest';
import { toDatasetQuery, usualDataset } from './dataset-options';

describe('toDatasetQuery', () => {
  it('nothing in particular, has no days and no wish for reviewed ones', () => {
    expect(toDatasetQuery(usualDataset)).toEqual({
      min_confidence: 0,
      val_ratio: 0.2,
      split_seed: 42,
      min_images_per_class: 1,
      format: 'crops',
    });
  });

  it('days and only reviewed ones, are said as the hub wants them', () => {
    const options = { ...usualDataset, start_date: '2026-05-01', end_date: '2026-05-31', isReviewed: true };
    expect(toDatasetQuery(options)).toMatchObject({
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      only_reviewed: 'true',
    });
  });
});
