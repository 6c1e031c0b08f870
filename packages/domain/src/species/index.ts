export { type Catalogue, catalogue } from './catalogue.js';
export {
  createSpeciesDirectory,
  currentSpeciesSql,
  type SpeciesDirectory,
  type SpeciesNode,
  type SpeciesTree,
} from './directory.js';
export {
  chooseOwnPictures,
  isOwnPicture,
  type ReplacedPictures,
  replaceLostPictures,
} from './own-pictures.store.js';
export { seedCatalogue } from './seed.js';
export {
  countedSql,
  groupOf,
  groupRoots,
  isNoise,
  SPECIES_GROUPS,
  STORED_GROUPS,
  type SpeciesGroup,
  type StoredGroup,
} from './species-group.js';
export type { SpeciesPatch } from './species.store.js';
export { createSpeciesEditor, type SpeciesEditor } from './species-editor.js';
export {
  GENERIC_SPECIES,
  isGenericSpecies,
  labelCandidates,
  normaliseSpeciesName,
  speciesKey,
} from './species-names.js';
