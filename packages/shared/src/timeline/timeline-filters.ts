import { currentSpeciesSql } from '../species/index.js';

/** The filters of the timeline: an item is in it when one of its detections, with its recording, passes all. */
export const timelineFilters = ['camera_id', 'species_id', 'min_confidence', 'source', 'favorite'] as const;

/** One of {@link timelineFilters}. */
export type TimelineFilter = (typeof timelineFilters)[number];

const conditions: Record<TimelineFilter, (parameter: string) => string> = {
  camera_id: (parameter) => `video.camera_id = ${parameter}`,
  species_id: (parameter) => `detection.species_id = ${currentSpeciesSql(parameter)}`,
  min_confidence: (parameter) => `detection.confidence >= ${parameter}`,
  source: (parameter) => `detection.source = ${parameter}`,
  favorite: (parameter) => `video.favorite = ${parameter}`,
};

const isOfRecording = (filter: TimelineFilter) => filter === 'camera_id' || filter === 'favorite';

function passes(filters: readonly TimelineFilter[], firstParameter: number): string {
  return filters.map((filter, index) => conditions[filter](`$${firstParameter + index}`)).join(' AND ');
}

/** What filters, whose values begin at a parameter, leave of `visits`, a query with the columns of `species_visit`. */
function filtered(visits: string, filters: readonly TimelineFilter[], firstParameter: number): string {
  if (!filters.length) return visits;
  return `
    SELECT visit.* FROM (${visits}) visit WHERE EXISTS (
      SELECT FROM detection JOIN video ON video.id = detection.video_id
      WHERE detection.visit_id = visit.id AND ${passes(filters, firstParameter)})`;
}

/** The visits that start in the window from $1 to before $2. */
export function visitsStartingIn(filters: readonly TimelineFilter[], firstParameter: number): string {
  const starting = 'SELECT * FROM species_visit WHERE start_time >= $1 AND start_time < $2';
  return filtered(starting, filters, firstParameter);
}

/**
 * The visits that started before $1 and end at it or later. Visits of one species never overlap each other, so it
 * can only be the last of each species.
 */
export function visitsReachingInto(filters: readonly TimelineFilter[], firstParameter: number): string {
  const reaching = `
    SELECT earlier.* FROM species_total CROSS JOIN LATERAL (
      SELECT * FROM species_visit
      WHERE species_id = species_total.species_id AND start_time < $1 ORDER BY start_time DESC LIMIT 1
    ) earlier WHERE earlier.end_time >= $1`;
  return filtered(reaching, filters, firstParameter);
}

/** The visits of the window from $1 to before $2. */
export function visitsOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  return [visitsStartingIn, visitsReachingInto]
    .map((visits) => visits(filters, firstParameter))
    .join(' UNION ALL ');
}

/** The recordings without detections of the window from $1 to before $2; none is longer than a day. */
export function unlinkedOfWindow(filters: readonly TimelineFilter[], firstParameter: number): string {
  // What is filtered by a detection leaves out recordings without any.
  const condition = filters.every(isOfRecording) ? passes(filters, firstParameter) : 'false';
  return `
    SELECT * FROM video
    WHERE detection_count = 0 AND start_time >= $1 - interval '24 hours' AND start_time < $2 AND end_time >= $1
      ${filters.length ? `AND ${condition}` : ''}`;
}
