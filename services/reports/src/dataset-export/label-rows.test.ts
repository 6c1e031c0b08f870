import { describe, expect, it } from 'vitest';
import type { DatasetImage } from './dataset-image.js';
import { labelHeader, labelRows } from './label-rows.js';

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
        trackId: '=1+1',
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
  it('a bird, is a row as RFC 4180 wants it, of which a spreadsheet makes no formula', () => {
    expect(labelRows('val/Wren/3_1_1.jpg', image)).toBe(
      `val/Wren/3_1_1.jpg,val,Wren,5,3,9,'=1+1,-0.01 0 0.5 1,0.75,true,"2026/a,""b"".mp4"\r\n`,
    );
  });

  it('the header, has a name for each cell', () => {
    expect(labelHeader.trimEnd().split(',')).toHaveLength(11);
  });
});
