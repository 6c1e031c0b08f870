import { describe, expect, it } from 'vitest';
import type { TimelineItem } from '../visits/describe-visit';
import { chooseCrops } from './choose-crops';

const start_time = '2026-03-01T08:00:00+00:00';
const detection = (id: number, confidence: number, source: 'video' | 'audio' = 'video') => ({
  id,
  video_id: id + 100,
  start_time,
  end_time: start_time,
  confidence,
  source,
  detection_provider: null,
  reviewed: false,
});
const visit = (id: number, detections: TimelineItem['detections']): TimelineItem => ({
  id,
  timeline_kind: 'visit',
  start_time,
  end_time: start_time,
  max_simultaneous: 1,
  total_recording_seconds: 1,
  video_duration_seconds: 1,
  weather: null,
  species: { id: 1, name: 'Great Tit', scientific_name: null, image_url: null, parent_id: null },
  cameras: [],
  detections,
});

const visits = [
  visit(1, [detection(1, 0.4), detection(2, 0.7)]),
  visit(2, [detection(3, 0.99, 'audio')]),
  visit(3, [detection(4, 0.9)]),
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
