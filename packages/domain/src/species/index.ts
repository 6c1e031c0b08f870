export { type Catalogue, catalogue, catalogueText, translatedLanguages } from './catalogue.js';
export { checkCatalogue } from './check-catalogue.js';
export { type LoadedChecklist, listChecklists, loadChecklist, removeChecklist } from './checklist.store.js';
export {
  CHECKLIST_SOURCES,
  type Checklist,
  type ChecklistRow,
  type ChecklistSource,
  type ChecklistTitle,
  checklistTitles,
  maxChecklistBytes,
  readChecklist,
} from './checklist-file.js';
export {
  concernsSpecies,
  createSpeciesDirectory,
  currentSpeciesSql,
  type SpeciesDirectory,
  type SpeciesDirectoryOptions,
  type SpeciesNode,
  type SpeciesTree,
} from './directory.js';
export { LABEL_MATCHES } from './find-label.js';
export {
  chooseOwnPictures,
  isOwnPicture,
  type ReplacedPictures,
  replaceLostPictures,
  thumbhashOfOwnPicture,
} from './own-pictures.store.js';
export { guessRegion, REGIONS, type Region } from './region.js';
export { type ResolvedLabel, resolveLabel } from './resolve-label.js';
export { seedCatalogue } from './seed.js';
export type { SpeciesPatch } from './species.store.js';
export { SpeciesEditor } from './species-editor.js';
export {
  countedSql,
  groupOf,
  groupRoots,
  isNoise,
  SPECIES_GROUPS,
  type SpeciesGroup,
  STORED_GROUPS,
  type StoredGroup,
} from './species-group.js';
export {
  GENERIC_SPECIES,
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
