export {
  countText,
  negotiateLanguage,
  type ShareLanguage,
  type ShareTexts,
  shareLanguages,
  shareTexts,
} from './share-texts.js';
export { readSharedDay, type SharedDay, type SharedDaySpecies } from './shared-day.store.js';
export {
  createShare,
  findOpenShare,
  findShare,
  listShares,
  maxShares,
  type NewShare,
  type OpenShare,
  revokeShare,
  type ShareRow,
} from './shares.store.js';
export { findSpeciesNamed, speciesNameIn } from './species-name.js';
