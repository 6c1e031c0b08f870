import { describe, expect, it } from 'vitest';
import { createEntryCounter, defaultDataset, toDatasetQuery } from './dataset';

describe('toDatasetQuery', () => {
  it('default options, contain no days and no review filter', () => {
    expect(toDatasetQuery(defaultDataset)).toEqual({
      min_confidence: 0,
      val_ratio: 0.2,
      split_seed: 42,
      min_images_per_class: 1,
      format: 'crops',
    });
  });

  it('days and reviewed detections only, are converted to parameters of the hub', () => {
    const options = { ...defaultDataset, start_date: '2026-05-01', end_date: '2026-05-31', isReviewed: true };
    expect(toDatasetQuery(options)).toMatchObject({
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      only_reviewed: 'true',
    });
  });
});

const header = [0x50, 0x4b, 3, 4];
const archive = new Uint8Array([...header, 9, 9, 0x50, ...header, 0x50, 0x4b, 1, 2]);

describe('createEntryCounter', () => {
  it('an archive in one chunk, has one entry per header', () => {
    expect(createEntryCounter()(archive)).toBe(2);
  });

  it.each([1, 2, 3, 5])('an archive in chunks of %i bytes, has the same number of entries', (size) => {
    const count = createEntryCounter();
    let entries = 0;
    for (let start = 0; start < archive.length; start += size)
      entries = count(archive.slice(start, start + size));
    expect(entries).toBe(2);
  });
});
