export { type ShareTexts, shareTexts } from './share-texts.js';
export { readSharedDay, type SharedDay, type SharedDaySpecies } from './shared-day.store.js';
export {
  clipSpeciesSql,
  createShare,
  findOpenShare,
  findShare,
  listShares,
  maxShares,
  type OpenShare,
  revokeShare,
  type ShareRow,
  type ShareSubject,
} from './shares.store.js';
