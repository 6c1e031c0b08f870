import { describe, expect, it } from 'vitest';
import { createEntryCounter, defaultDataset, toDatasetQuery } from './dataset';

describe('toDatasetQuery', () => {
  it('nothing in particular, has no days and no wish for reviewed ones', () => {
    expect(toDatasetQuery(defaultDataset)).toEqual({
      min_confidence: 0,
      val_ratio: 0.2,
      split_seed: 42,
      min_images_per_class: 1,
      format: 'crops',
    });
  });

  it('days and only reviewed ones, are said as the hub wants them', () => {
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
  it('an archive in one piece, has as many files as headers', () => {
    expect(createEntryCounter()(archive)).toBe(2);
  });

  it.each([1, 2, 3, 5])('an archive in pieces of %i bytes, has as many', (size) => {
    const count = createEntryCounter();
    let entries = 0;
    for (let start = 0; start < archive.length; start += size)
      entries = count(archive.slice(start, start + size));
    expect(entries).toBe(2);
  });
});
