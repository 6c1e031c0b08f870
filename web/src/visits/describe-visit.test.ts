import { describe, expect, it } from 'vitest';
import { describeVisit, type TimelineItem } from './describe-visit';

type Detection = TimelineItem['detections'][number];

const detection = (id: number, more: Partial<Detection> = {}): Detection => ({
  id,
  video_id: id * 10,
  start_time: '2026-05-01T06:00:00Z',
  end_time: '2026-05-01T06:00:05Z',
  confidence: 0.9,
  source: 'video',
  detection_provider: null,
  reviewed: false,
  ...more,
});

const visit = (detections: Detection[], more: Partial<TimelineItem> = {}): TimelineItem => ({
  id: 7,
  timeline_kind: 'visit',
  start_time: '2026-05-01T06:00:00Z',
  end_time: '2026-05-01T06:01:30Z',
  max_simultaneous: 1,
  total_recording_seconds: 90,
  video_duration_seconds: 90,
  weather: null,
  species: { id: 1, name: 'Great Tit', scientific_name: null, image_url: null, parent_id: null },
  cameras: ['garden'],
  detections,
  ...more,
});

describe('describeVisit', () => {
  it('a visit in two recordings, begins in that of its first detection', () => {
    expect(describeVisit(visit([detection(3), detection(2)]))).toMatchObject({
      isVisit: true,
      firstVideoId: 20,
      seconds: 90,
    });
  });

  it('a sound surer than all pictures, is still shown by the surest picture', () => {
    const facts = describeVisit(
      visit([
        detection(1, { confidence: 0.6 }),
        detection(2, { confidence: 0.99, source: 'audio' }),
        detection(3, { confidence: 0.7 }),
      ]),
    );
    expect(facts.best?.id).toBe(3);
    expect(facts.isHeardOnly).toBe(false);
  });

  it('sounds alone, are a visit that was only heard', () => {
    const facts = describeVisit(visit([detection(1, { source: 'audio' })]));
    expect(facts).toMatchObject({ best: undefined, isHeardOnly: true });
  });

  it.each([
    ['all doubtful and nobody looked', [{ confidence: 0.3 }, { confidence: 0.4 }], 0.4, false],
    ['one of them sure', [{ confidence: 0.3 }, { confidence: 0.5 }], undefined, false],
    [
      'doubtful but one reviewed',
      [{ confidence: 0.3 }, { confidence: 0.4, reviewed: true }],
      undefined,
      false,
    ],
    ['doubtful but all reviewed', [{ confidence: 0.3, reviewed: true }], undefined, true],
  ])('detections %s, say how doubtful it is', (_case, parts, doubt, isReviewed) => {
    const facts = describeVisit(visit(parts.map((part, index) => detection(index + 1, part))));
    expect(facts).toMatchObject({ isReviewed });
    expect(facts.doubt).toBe(doubt);
  });

  it('a recording that belongs to no visit, leads to itself', () => {
    const facts = describeVisit(visit([], { id: -44, timeline_kind: 'unlinked_video' }));
    expect(facts).toMatchObject({ isVisit: false, firstVideoId: 44, isReviewed: false, doubt: undefined });
  });
});
