export { cover, type Interval } from './interval.js';
export {
  type DetectionChange,
  type MaintainedVisits,
  maintainVisits,
  SpeciesMerged,
  StaleTree,
  type WriterScope,
  type WrittenVisit,
} from './maintain-visits.js';
export { maxSimultaneous } from './max-simultaneous.js';
export { visitJson } from './neighbourhood.store.js';
export {
  isVisitRule,
  type RebuildOptions,
  type RebuildProgress,
  rebuildVisits,
  type WantedRule,
} from './rebuild-visits.js';
export {
  attachSpecies,
  beginRegrouping,
  detachSpecies,
  giveAllVisits,
  joinVisits,
  settleRegrouping,
  splitVisits,
  withAncestors,
} from './regroup-visits.js';
export { formRuns, type RuleDetection, type Run } from './visit-runs.js';
export type { AddedDetection, StoredDetection, StoredVisit, VisitRule } from './visit-state.js';
export {
  beginAlone,
  beginWithLocks,
  LocksNeeded,
  mostLocks,
  requireLocks,
  type WriterLocks,
} from './writer-locks.js';
