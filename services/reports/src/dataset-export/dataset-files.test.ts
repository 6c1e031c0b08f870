import { describe, expect, it } from 'vitest';
import { DatasetTally, datasetInfo, labelHeader, labelRows } from './dataset-files.js';
import type { DatasetClass } from './dataset-plan.js';
import type { DatasetImage } from './select-images.js';

const aClass = (name: string, index: number): DatasetClass => {
  return { index, name, speciesId: index + 1, scientificName: null };
};
const anImage = (found: DatasetClass) =>
  ({ split: 'train', labels: [{ class: found }] }) as unknown as DatasetImage;

const request = {
  search: {},
  format: 'crops',
  valRatio: 0.2,
  splitSeed: 42,
  createdAt: 0,
} as unknown as Parameters<typeof datasetInfo>[2];

describe('datasetInfo', () => {
  it('species with the names of object properties, are counted like others', () => {
    const classes = ['__proto__', 'constructor', 'toString'].map(aClass);
    const tally = new DatasetTally();
    for (const found of classes.slice(0, 2)) tally.add(anImage(found));
    const text = datasetInfo(tally, { classes, skipped: {} }, request);
    expect(text).toContain('"__proto__": 1,');
    expect(JSON.parse(text)).toMatchObject({
      train: { constructor: 1 },
      classes: [{ name: '__proto__' }, { name: 'constructor' }],
    });
  });
});

const image: DatasetImage = {
  recording: { videoId: 3, videoPath: '2026/a,"b".mp4', media: 'ready', start: new Date(0), detections: [] },
  seconds: 1,
  split: 'val',
  stem: '3_1_1',
  bytes: Buffer.alloc(0),
  labels: [
    {
      detection: {
        id: 9,
        speciesId: 5,
        visitId: 1,
        trackId: '\n=1+1',
        confidence: 0.75,
        reviewed: true,
        startOffset: 0,
        endOffset: 1,
        frames: [],
      },
      class: { index: 0, name: 'Wren', speciesId: 5, scientificName: null },
      box: [-0.01, 0, 0.5, 1],
    },
  ],
};

describe('labelRows', () => {
  it('a bird, is a row according to RFC 4180, without spreadsheet formulas', () => {
    expect(labelRows('val/Wren/3_1_1.jpg', image)).toBe(
      `val/Wren/3_1_1.jpg,val,Wren,5,3,9,"'\n=1+1",-0.01 0 0.5 1,0.75,true,"2026/a,""b"".mp4"\r\n`,
    );
  });

  it('the header, has a name for each cell', () => {
    expect(labelHeader.trimEnd().split(',')).toHaveLength(11);
  });
});
