import { aDetection } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestMedia, type TestMedia } from '../testing/create-test-media.js';
import { findMediaVideo } from './media-videos.js';

describe('the second of a poster', () => {
  let hub: TestMedia;

  beforeAll(async () => {
    hub = await createTestMedia();
  });
  afterAll(() => hub.close());

  const box = [0.1, 0.1, 0.3, 0.3] as const;
  const best = { confidence: 0.9, startOffset: 2, endOffset: 6 };

  it.each([
    [
      'with boxes, is that of the box nearest to the middle of the surest detection',
      4.4,
      [
        aDetection({ confidence: 0.5, startOffset: 0, endOffset: 1, frames: [{ t: 0.5, bbox: [...box] }] }),
        aDetection({ ...best, frames: [2, 3.3, 4.4, 6].map((t) => ({ t, bbox: [...box] })) }),
      ],
    ],
    ['without boxes, is that middle', 4, [aDetection(best)]],
    ['without a visible bird, is undecided', null, [aDetection({ ...best, source: 'audio' })]],
  ])('%s', async (name, seconds, detections) => {
    const id = await hub.post({ videoPath: `${name}.mp4`, detections });
    expect((await findMediaVideo(hub.pool, id))?.bestSeconds).toBe(seconds);
  });
});
