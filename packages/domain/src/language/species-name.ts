import { catalogue, speciesKey, translatedLanguages } from '../species/index.js';
import type { HubLanguage } from './language.js';

interface NamedSpecies {
  /** The stored name. */
  readonly name: string;
  readonly translated: string;
}

type Names = ReadonlyMap<string, NamedSpecies>;

let names: ReadonlyMap<HubLanguage, Names> | undefined;

/** Returns the name of a species in a language; the stored name when the catalogue has no translation. */
export function speciesNameIn(language: HubLanguage, name: string): string {
  return namesIn(language)?.get(speciesKey(name))?.translated ?? name;
}

/** Returns the stored names of the species whose name in a language meets a condition. */
export function findSpeciesNamed(
  language: HubLanguage,
  matches: (translated: string) => boolean,
): readonly string[] {
  const known = namesIn(language)?.values() ?? [];
  return [...known].filter(({ translated }) => matches(translated)).map(({ name }) => name);
}

/** The catalogue is loaded when translated names are first needed. */
function namesIn(language: HubLanguage): Names | undefined {
  if (language === 'en') return undefined;
  names ??= readNames();
  return names.get(language);
}

function readNames(): ReadonlyMap<HubLanguage, Names> {
  const found = new Map(translatedLanguages.map((language) => [language, new Map<string, NamedSpecies>()]));
  const { families, species, forms } = catalogue();
  for (const { name, translations } of [...families, ...species, ...forms]) {
    const key = speciesKey(name);
    for (const [language, names] of found) {
      const translated = translations[language];
      if (translated !== undefined) names.set(key, { name, translated });
    }
  }
  return found;
}
