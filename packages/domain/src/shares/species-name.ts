import { catalogue, speciesKey } from '../species/index.js';
import type { ShareLanguage } from './share-texts.js';

type Names = ReadonlyMap<string, string>;

let names: Partial<Record<ShareLanguage, Names>> | undefined;

/** Returns the name of a species in a language; as it is stored where the catalogue has none. */
export function speciesNameIn(language: ShareLanguage, name: string): string {
  names ??= readNames();
  return names[language]?.get(speciesKey(name)) ?? name;
}

/** The catalogue is read when the first link in one of its languages is shown. */
function readNames(): Partial<Record<ShareLanguage, Names>> {
  const { families, species, forms } = catalogue();
  const german = new Map<string, string>();
  const russian = new Map<string, string>();
  for (const { name, germanName, russianName } of [...families, ...species, ...forms]) {
    if (germanName) german.set(speciesKey(name), germanName);
    if (russianName) russian.set(speciesKey(name), russianName);
  }
  return { de: german, ru: russian };
}
