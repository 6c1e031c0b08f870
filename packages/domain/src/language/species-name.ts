import { catalogue, speciesKey } from '../species/index.js';
import type { HubLanguage } from './language.js';

interface NamedSpecies {
  /** As it is stored. */
  readonly name: string;
  readonly translated: string;
}

type Names = ReadonlyMap<string, NamedSpecies>;

let names: Partial<Record<HubLanguage, Names>> | undefined;

/** Returns the name of a species in a language; as it is stored where the catalogue has none. */
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

/** The catalogue is read when names in one of its languages are first needed. */
function namesIn(language: HubLanguage): Names | undefined {
  if (language !== 'de' && language !== 'ru') return undefined;
  names ??= readNames();
  return names[language];
}

function readNames(): Partial<Record<HubLanguage, Names>> {
  const { families, species, forms } = catalogue();
  const german = new Map<string, NamedSpecies>();
  const russian = new Map<string, NamedSpecies>();
  for (const { name, germanName, russianName } of [...families, ...species, ...forms]) {
    if (germanName) german.set(speciesKey(name), { name, translated: germanName });
    if (russianName) russian.set(speciesKey(name), { name, translated: russianName });
  }
  return { de: german, ru: russian };
}
