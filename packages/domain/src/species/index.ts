export { catalogue } from './catalogue.js';
export { currentSpeciesSql } from './current-species.js';
export { createSpeciesDirectory, type SpeciesDirectory } from './directory.js';
export type { SpeciesPatch } from './edits.store.js';
export { GENERIC_SPECIES, isGenericSpecies } from './generic-species.js';
export {
  chooseOwnPictures,
  isOwnPicture,
  type ReplacedPictures,
  replaceLostPictures,
} from './own-pictures.store.js';
export { seedCatalogue } from './seed.js';
export { createSpeciesEditor, type SpeciesEditor } from './species-editor.js';
export { labelCandidates, normaliseSpeciesName, speciesKey } from './species-names.js';
export type { SpeciesNode, SpeciesTree } from './species-tree.js';
