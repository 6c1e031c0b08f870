import type { Highlight } from '../components/highlights/highlight-reel';
import type { Visit } from '../components/visits/summarize-day';
import type { Unknown } from '../features/review/review-queue';
import type { Species } from '../features/species/species-queries';

type Detection = Visit['detections'][number];

/** A video detection; `given` overrides properties. */
export function createDetection(given: Partial<Detection> = {}): Detection {
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

/** A visit of a Great Tit; `given` overrides properties. */
export function createVisit(given: Partial<Visit> = {}): Visit {
  return {
    id: 1,
    timeline_kind: 'visit',
    start_time: '2026-05-04T08:00:00Z',
    end_time: '2026-05-04T08:00:10Z',
    max_simultaneous: 1,
    total_recording_seconds: 10,
    video_duration_seconds: 10,
    weather: null,
    species: {
      id: 1,
      name: 'Great Tit',
      scientific_name: 'Parus major',
      image_url: null,
      parent_id: null,
      group: 'bird',
    },
    media_kind: 'video',
    cameras: [],
    best: null,
    heard: null,
    thumbhash: null,
    detections: [],
    ...given,
  };
}

/** A highlight of a Great Tit; `given` overrides properties. */
export function createHighlight(given: Partial<Highlight> = {}): Highlight {
  return {
    detection_id: 1,
    video_id: 1,
    visit_id: 1,
    start_time: '2026-05-04T08:00:00Z',
    seconds: 2,
    species: createVisit().species,
    media_kind: 'video',
    source: 'video',
    confidence: 0.9,
    reviewed: false,
    favorite: false,
    camera: 'garden',
    max_simultaneous: 1,
    reasons: [],
    heard: null,
    thumbhash: null,
    ...given,
  };
}

/** A species, by default a Great Tit; `given` overrides properties. */
export function createSpecies(given: Partial<Species> = {}): Species {
  return {
    id: 1,
    name: 'Great Tit',
    scientific_name: null,
    parent_id: null,
    group: 'bird',
    created_at: '2026-01-01T00:00:00+00:00',
    image_url: null,
    description: null,
    active: true,
    count: 0,
    visits: 0,
    heard_only: false,
    ...given,
  };
}

/** A detection with low confidence in the review queue; `given` overrides properties. */
export const createUnknown = (id: number, given: Partial<Unknown> = {}): Unknown => ({
  id,
  video_id: id * 10,
  media_kind: 'video',
  species_id: 1,
  species_name: 'Great Tit',
  confidence: 0.4,
  start_time: '2026-05-04T06:00:00Z',
  end_time: '2026-05-04T06:00:05Z',
  source: 'video',
  detection_provider: null,
  plumage: null,
  image_url: null,
  crop_url: `/api/ui/detections/${id}/crop`,
  thumbhash: null,
  review_reason: 'low_confidence',
  ...given,
});
