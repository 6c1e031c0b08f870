export { currentSpeciesSql } from './current-species.js';
export { createSpeciesDirectory, namingLock, type SpeciesDirectory } from './directory.js';
export { GENERIC_SPECIES, isGenericSpecies } from './generic-species.js';
export { labelCandidates, normaliseSpeciesName, speciesKey } from './species-names.js';
export type { SpeciesNode, SpeciesTree } from './species-tree.js';
