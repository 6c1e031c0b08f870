import { catalogue, speciesKey } from '../species/index.js';
import type { HubLanguage } from './language.js';

interface NamedSpecies {
  /** As it is stored. */
  readonly name: string;
  readonly translated: string;
}

type Names = ReadonlyMap<string, NamedSpecies>;

const names = new Map<HubLanguage, Names>();

/** Returns the name of a species in a language; as it is stored where the catalogue has none. */
export function speciesNameIn(language: HubLanguage, name: string): string {
  return namesIn(language).get(speciesKey(name))?.translated ?? name;
}

/** Returns the stored names of the species whose name in a language meets a condition. */
export function findSpeciesNamed(
  language: HubLanguage,
  matches: (translated: string) => boolean,
): readonly string[] {
  const known = namesIn(language).values();
  return [...known].filter(({ translated }) => matches(translated)).map(({ name }) => name);
}

/** The catalogue is read when names in a language are first needed. */
function namesIn(language: HubLanguage): Names {
  const read = names.get(language) ?? readNames(language);
  names.set(language, read);
  return read;
}

function readNames(language: HubLanguage): Names {
  if (language === 'en') return new Map();
  const { families, species, forms } = catalogue();
  const found = new Map<string, NamedSpecies>();
  for (const { name, translations } of [...families, ...species, ...forms]) {
    const translated = translations[language];
    if (translated !== undefined) found.set(speciesKey(name), { name, translated });
  }
  return found;
}
