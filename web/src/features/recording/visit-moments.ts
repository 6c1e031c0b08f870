import type { Moment } from '../../components/highlights/highlight-reel';
import type { TimelineItem } from '../../components/visits/describe-visit';

type Detection = TimelineItem['detections'][number];

/** Whether a detection shows a bird better: video detections come first, then higher confidence. */
function isBetter(one: Detection, other: Detection): boolean {
  if (one.source !== other.source) return one.source === 'video';
  return one.confidence > other.confidence;
}

/**
 * Returns the best moment of each recording of a visit except one, in chronological order, without its second, which a
 * visit does not include. Empty for a visit without video or audio, as a visit does not include which of its sightings
 * have a photo.
 */
export function momentsOfVisit(visit: TimelineItem, exceptVideoId: number): Moment[] {
  if (visit.media_kind !== 'video' && visit.media_kind !== 'audio') return [];
  const best = new Map<number, Detection>();
  for (const detection of visit.detections) {
    const before = best.get(detection.video_id);
    if (detection.video_id !== exceptVideoId && (!before || isBetter(detection, before)))
      best.set(detection.video_id, detection);
  }
  const { id: visit_id, species, media_kind, cameras, max_simultaneous } = visit;
  return [...best.values()]
    .sort((one, other) => one.start_time.localeCompare(other.start_time))
    .map(({ id, video_id, start_time, source, confidence, reviewed }) => ({
      detection_id: id,
      video_id,
      visit_id,
      start_time,
      species,
      media_kind,
      source,
      confidence,
      reviewed,
      favorite: false,
      camera: cameras[0] ?? '',
      max_simultaneous,
      reasons: [],
      heard: null,
      thumbhash: null,
    }));
}
