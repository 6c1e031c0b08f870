import { describe, expect, it } from 'vitest';
import { createDetection, createVisit } from '../../testing/factories';
import { momentsOfVisit } from './visit-moments';

describe('momentsOfVisit', () => {
  it('a visit in several recordings, gives the best detection of each other recording by time', () => {
    const visit = createVisit({
      detections: [
        createDetection({ id: 4, video_id: 3, start_time: '2026-05-04T08:02:00Z' }),
        createDetection({ id: 1, video_id: 1 }),
        createDetection({
          id: 2,
          video_id: 2,
          start_time: '2026-05-04T08:01:00Z',
          source: 'audio',
          confidence: 1,
        }),
        createDetection({ id: 3, video_id: 2, start_time: '2026-05-04T08:01:00Z', confidence: 0.4 }),
      ],
    });
    expect(momentsOfVisit(visit, 1).map(({ detection_id }) => detection_id)).toEqual([3, 4]);
  });

  it('a moment, opens at the start of its detection, as its second is unknown', () => {
    const visit = createVisit({ detections: [createDetection({ id: 2, video_id: 9 })] });
    expect(momentsOfVisit(visit, 1)[0]?.seconds).toBeUndefined();
  });

  it.each(['image', null] as const)('a visit of sightings (media kind %j), gives none', (media_kind) => {
    const detections = [createDetection({ id: 1, video_id: 1 }), createDetection({ id: 2, video_id: 2 })];
    expect(momentsOfVisit(createVisit({ media_kind, detections }), 1)).toEqual([]);
  });

  it('a visit in one recording, gives none', () => {
    expect(momentsOfVisit(createVisit({ detections: [createDetection({ video_id: 7 })] }), 7)).toEqual([]);
  });
});
