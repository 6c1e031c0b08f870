export {
  isVisitRule,
  type RebuildDeps,
  type RebuildOptions,
  type RebuildProgress,
  type RequestedRule,
  rebuildVisits,
} from './rebuild.js';
export { formRuns, maxSimultaneous, type RuleDetection, type Run } from './rule.js';
