export {
  type BoundFilters,
  bindFilters,
  detectionSources,
  filterParameters,
  type TimelineFilter,
  type TimelineFilters,
  unlinkedOfWindow,
  visitsOfWindow,
  visitsReachingInto,
  visitsStartingIn,
  windowParameters,
} from './timeline-filters.js';
export { type AskedWindow, readWindow } from './timeline-window.js';
