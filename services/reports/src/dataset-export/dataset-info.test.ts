import { describe, expect, it } from 'vitest';
import type { DatasetImage } from './dataset-image.js';
import { createTally, datasetInfo } from './dataset-info.js';
import type { DatasetClass } from './plan-dataset.js';

const aClass = (name: string, index: number): DatasetClass => {
  return { index, name, speciesId: index + 1, scientificName: null };
};
const anImage = (found: DatasetClass) =>
  ({ split: 'train', labels: [{ class: found }] }) as unknown as DatasetImage;

const order = {
  search: {},
  format: 'crops',
  valRatio: 0.2,
  splitSeed: 42,
  createdAt: 0,
} as unknown as Parameters<typeof datasetInfo>[2];

describe('datasetInfo', () => {
  it('species named like what every object has, are counted like others', () => {
    const classes = ['__proto__', 'constructor', 'toString'].map(aClass);
    const tally = createTally();
    for (const found of classes.slice(0, 2)) tally.add(anImage(found));
    const text = datasetInfo(tally, { classes, skipped: {} }, order);
    expect(text).toContain('"__proto__": 1,');
    expect(JSON.parse(text)).toMatchObject({
      train: { constructor: 1 },
      classes: [{ name: '__proto__' }, { name: 'constructor' }],
    });
  });
});
