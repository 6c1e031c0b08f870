export { type Catalogue, catalogue, catalogueText, translatedLanguages } from './catalogue.js';
export { checkCatalogue } from './check-catalogue.js';
export { type LoadedChecklist, listChecklists, loadChecklist, removeChecklist } from './checklist.store.js';
export {
  type Checklist,
  type ChecklistRow,
  type ChecklistSource,
  type ChecklistTitle,
  checklistSources,
  checklistTitles,
  readChecklist,
} from './checklist-file.js';
export {
  createSpeciesDirectory,
  currentSpeciesSql,
  forgetOnChange,
  kinSql,
  type SpeciesDirectory,
  type SpeciesDirectoryOptions,
  type SpeciesNode,
  type SpeciesTree,
} from './directory.js';
export { labelMatches } from './find-label.js';
export {
  chooseOwnPictures,
  isOwnPicture,
  type ReplacedPictures,
  thumbhashOfOwnPicture,
} from './own-pictures.store.js';
export type { Region } from './region.js';
export { type ResolvedLabel, resolveLabel } from './resolve-label.js';
export { seedCatalogue } from './seed.js';
export type { SpeciesPatch } from './species.store.js';
export { SpeciesEditor } from './species-editor.js';
export {
  countedSql,
  groupRoots,
  type SpeciesGroup,
  type StoredGroup,
  speciesGroups,
  storedGroups,
} from './species-group.js';
export {
  genericSpecies,
  isGenericSpecies,
  normaliseSpeciesName,
  readNameMapping,
  speciesKey,
} from './species-names.js';
export {
  applyTidy,
  findLastTidy,
  planTidy,
  type TidyDeps,
  type TidyResult,
  type TidyStep,
  type UndoneTidy,
  undoTidy,
} from './tidy-species.js';
