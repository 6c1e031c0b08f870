import type { Unknown } from '../review-queue';

/** A doubtful detection as the hub lists it. */
export const makeUnknown = (id: number, more: Partial<Unknown> = {}): Unknown => ({
  id,
  video_id: id * 10,
  species_id: 1,
  species_name: 'Great Tit',
  confidence: 0.4,
  start_time: '2026-05-04T06:00:00Z',
  end_time: '2026-05-04T06:00:05Z',
  source: 'video',
  detection_provider: null,
  image_url: null,
  crop_url: `/api/ui/detections/${id}/crop`,
  review_reason: 'low_confidence',
  ...more,
});
