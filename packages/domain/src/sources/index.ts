export {
  behindSeconds,
  deriveSourceState,
  isSourceUp,
  listSourceSummaries,
  type SourceProgress,
  type SourceState,
  type SourceSummary,
  sourceStates,
} from './source-state.js';
