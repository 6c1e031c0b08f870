import { describe, expect, it } from 'vitest';
import { describeVisit, linkToMoment, type TimelineItem } from './describe-visit';

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
  species: {
    id: 1,
    name: 'Great Tit',
    scientific_name: null,
    image_url: null,
    parent_id: null,
    group: 'bird',
  },
  media_kind: 'video',
  cameras: ['garden'],
  best: null,
  heard: null,
  thumbhash: null,
  detections,
  ...more,
});

describe('describeVisit', () => {
  it('a visit in two recordings, leads to the best picture of all', () => {
    const detections = [detection(3), detection(2, { confidence: 0.6 })];
    expect(describeVisit(visit(detections))).toMatchObject({
      isVisit: true,
      moment: { videoId: 30, detectionId: 3 },
      heard: null,
      seconds: 90,
    });
  });

  it('a visit with a best recording named by the hub, leads there and previews from half a second before', () => {
    const best = { detection_id: 2, video_id: 20, source: 'video', media_kind: 'video', seconds: 4 } as const;
    const facts = describeVisit(visit([detection(3), detection(2, { confidence: 0.6 })], { best }));
    expect(facts.moment).toEqual({ videoId: 20, detectionId: 2, seconds: 4 });
    expect(linkToMoment(facts.moment).search).toEqual({ detection: 2, t: 4 });
    expect(facts.best?.id).toBe(2);
    expect(facts.nextBestId).toBe(3);
    expect(facts.preview).toEqual({ videoId: 20, from: 3.5 });
  });

  it.each(['audio', 'image', null] as const)(
    'a visit whose best medium is %s, has no preview',
    (media_kind) => {
      const best = { detection_id: 2, video_id: 20, source: 'audio', media_kind, seconds: 0 } as const;
      expect(describeVisit(visit([detection(2)], { best })).preview).toBeUndefined();
    },
  );

  it('a visit with a sound surer than its pictures, still shows its best picture', () => {
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

  it('a visit of sounds only, is audio-only', () => {
    const media_kind = 'audio' as const;
    const heard = { detection_id: 2, video_id: 20, media_kind, from: 4, to: 6, recording_seconds: 30 };
    const detections = [
      detection(2, { source: 'audio' }),
      detection(1, { source: 'audio', confidence: 0.4 }),
    ];
    expect(describeVisit(visit(detections, { heard }))).toMatchObject({
      best: undefined,
      isHeardOnly: true,
      moment: { videoId: 20, detectionId: 2 },
      heard,
    });
  });

  it.each([
    ['that nobody reviewed', [{ confidence: 0.3 }, { confidence: 0.4 }], 0.4, false],
    [
      'of which one is reviewed',
      [{ confidence: 0.3 }, { confidence: 0.4, reviewed: true }],
      undefined,
      false,
    ],
    ['that are all reviewed', [{ confidence: 0.3, reviewed: true }], undefined, true],
  ])(
    'detections %s, give a confidence only if none is reviewed',
    (_case, parts, unreviewedConfidence, isReviewed) => {
      const facts = describeVisit(visit(parts.map((part, index) => detection(index + 1, part))));
      expect(facts).toMatchObject({ isReviewed });
      expect(facts.unreviewedConfidence).toBe(unreviewedConfidence);
    },
  );

  it('a recording without a visit, leads to itself', () => {
    const facts = describeVisit(visit([], { id: -44, timeline_kind: 'unlinked_video' }));
    expect(facts).toMatchObject({ isVisit: false, isReviewed: false });
    expect(facts.unreviewedConfidence).toBeUndefined();
    expect(facts.moment).toEqual({ videoId: 44, detectionId: undefined });
  });
});
