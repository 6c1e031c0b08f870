import { speciesKey } from './species-names.js';

/** Labels that say only that there was a bird: kept for review, left out of statistics. */
export const GENERIC_SPECIES = ['Bird', 'Unknown', 'Birds'] as const;

const genericKeys: ReadonlySet<string> = new Set(GENERIC_SPECIES.map(speciesKey));

/** Whether a name, however it is spelled, is one of the generic ones. */
export function isGenericSpecies(name: string): boolean {
  return genericKeys.has(speciesKey(name));
}
