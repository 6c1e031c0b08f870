import type { Visit } from '../summarize-day';

type Detection = Visit['detections'][number];

/** A detection by picture, unless said otherwise. */
export function aDetection(given: Partial<Detection> = {}): Detection {
  return {
    id: 1,
    video_id: 1,
    start_time: '2026-05-04T08:00:00Z',
    end_time: '2026-05-04T08:00:10Z',
    confidence: 0.8,
    source: 'video',
    detection_provider: null,
    reviewed: false,
    ...given,
  };
}

/** A visit of a Great Tit, unless said otherwise. */
export function aVisit(given: Partial<Visit> = {}): Visit {
  return {
    id: 1,
    timeline_kind: 'visit',
    start_time: '2026-05-04T08:00:00Z',
    end_time: '2026-05-04T08:00:10Z',
    max_simultaneous: 1,
    total_recording_seconds: 10,
    video_duration_seconds: 10,
    weather: null,
    species: { id: 1, name: 'Great Tit', scientific_name: 'Parus major', image_url: null, parent_id: null },
    cameras: [],
    heard: null,
    detections: [],
    ...given,
  };
}
