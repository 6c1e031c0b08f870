import { describe, expect, it } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { chooseCrops } from './choose-crops';

const visits = [
  createVisit({
    detections: [
      createDetection({ confidence: 0.4 }),
      createDetection({ id: 2, video_id: 102, confidence: 0.7 }),
    ],
  }),
  createVisit({ detections: [createDetection({ id: 3, confidence: 0.99, source: 'audio' })] }),
  createVisit({ detections: [createDetection({ id: 4, video_id: 104, confidence: 0.9 })] }),
];

describe('chooseCrops', () => {
  it('several visits, give one picture each, the surest first and none of what was only heard', () => {
    expect(chooseCrops(visits, 9).map(({ detectionId, videoId }) => [detectionId, videoId])).toEqual([
      [4, 104],
      [2, 102],
    ]);
  });

  it('more than are wanted, are cut', () => {
    expect(chooseCrops(visits, 1)).toHaveLength(1);
  });
});
