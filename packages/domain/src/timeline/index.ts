export {
  type BoundFilters,
  bindFilters,
  type TimelineFilter,
  unlinkedOfWindow,
  visitsOfWindow,
  visitsReachingInto,
  visitsStartingIn,
} from './timeline-filters.js';
export {
  detectionSources,
  filterParameters,
  type TimelineFilters,
  windowParameters,
} from './timeline-parameters.js';
export { type AskedWindow, readWindow } from './timeline-window.js';
