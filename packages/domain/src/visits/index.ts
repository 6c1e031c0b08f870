export {
  isVisitRule,
  type RebuildDeps,
  type RebuildOptions,
  type RebuildProgress,
  rebuildVisits,
  type WantedRule,
} from './rebuild.js';
export { formRuns, maxSimultaneous, type RuleDetection, type Run } from './rule.js';
