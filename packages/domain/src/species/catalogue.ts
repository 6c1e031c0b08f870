import { readFileSync } from 'node:fs';
import type { HubLanguage } from '../language/language.js';

/** The languages of the catalogue besides English, in the order of its columns. */
export const translatedLanguages = [
  'de',
  'ru',
  'fr',
  'es',
  'it',
  'nl',
  'pl',
] as const satisfies HubLanguage[];

/** The translated names of a row, by {@link translatedLanguages}. */
interface TranslatedNames {
  readonly translations: Readonly<Partial<Record<HubLanguage, string>>>;
}

/** A family; `name` is the scientific name, `englishName` the name in the tree. */
export interface CatalogueFamily extends TranslatedNames {
  readonly name: string;
  readonly englishName: string;
  readonly aliases: readonly string[];
}

/** A species; `family` is the scientific name of its family. */
export interface CatalogueSpecies extends TranslatedNames {
  readonly name: string;
  readonly scientificName: string;
  readonly family: string;
  /** Empty for the few species whose code is uncertain. */
  readonly ebirdCode: string;
  /** Other names in use that are unambiguous within the catalogue. */
  readonly aliases: readonly string[];
}

/** A form of the species `parent` that can be distinguished in pictures; a single subspecies has a scientific name. */
export interface CatalogueForm extends TranslatedNames {
  readonly name: string;
  readonly parent: string;
  readonly scientificName?: string;
  readonly ebirdCode?: string;
}

/** A class of detectors that is not a bird: another animal, or a noise of sound models. */
export interface CatalogueOther extends TranslatedNames {
  readonly name: string;
  /** The root of its group, or an earlier row of the group. */
  readonly parent: string;
  readonly scientificName?: string;
  readonly aliases: readonly string[];
}

/** The species of a new hub. */
export interface Catalogue {
  readonly families: readonly CatalogueFamily[];
  readonly species: readonly CatalogueSpecies[];
  readonly forms: readonly CatalogueForm[];
  readonly animals: readonly CatalogueOther[];
  readonly noises: readonly CatalogueOther[];
}

/** The compiled module also reads the file from the sources, because the compiler does not copy data. */
const file = new URL('../../src/species/catalogue.csv', import.meta.url);

/** Splits a line of comma-separated values (RFC 4180) without line breaks in values. */
export function parseLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g);
  return [...cells].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

/**
 * Parses a catalogue of comma-separated values with the columns rank, name, scientific name, eBird code, parent (the
 * family of a species, the species of a form), other names (separated by semicolons), and names in
 * {@link translatedLanguages}.
 */
export function parseCatalogue(text: string): Catalogue {
  const families: CatalogueFamily[] = [];
  const species: CatalogueSpecies[] = [];
  const forms: CatalogueForm[] = [];
  const others: Record<'animal' | 'noise', CatalogueOther[]> = { animal: [], noise: [] };
  const [, ...lines] = text.trimEnd().split(/\r?\n/);
  for (const line of lines) {
    const [
      rank,
      name = '',
      scientificName = '',
      ebirdCode = '',
      parent = '',
      otherNames = '',
      ...translated
    ] = parseLine(line);
    const named = translatedLanguages.map((language, at) => [language, translated[at] ?? ''] as const);
    const translations = Object.fromEntries(named.filter(([, translation]) => translation !== ''));
    const aliases = otherNames === '' ? [] : otherNames.split(';');
    if (rank === 'family') {
      families.push({ name: scientificName, englishName: name, aliases, translations });
    } else if (rank === 'species') {
      species.push({ name, scientificName, family: parent, ebirdCode, aliases, translations });
    } else if (rank === 'form') {
      forms.push({
        name,
        parent,
        ...(scientificName && { scientificName }),
        ...(ebirdCode && { ebirdCode }),
        translations,
      });
    } else if (rank === 'animal' || rank === 'noise') {
      others[rank].push({
        name,
        parent,
        aliases,
        ...(scientificName && { scientificName }),
        translations,
      });
    } else {
      throw new Error(`unknown rank in the species catalogue: ${line}`);
    }
  }
  return { families, species, forms, animals: others.animal, noises: others.noise };
}

/** Returns the text of the catalogue, whose digest is stored in the database. */
export const catalogueText = (): string => readFileSync(file, 'utf8');

/**
 * Reads the catalogue: birds of gardens and parks on all continents, named as in the eBird/Clements checklist of 2025,
 * and other animals and noises that detectors report.
 */
export function catalogue(): Catalogue {
  return parseCatalogue(catalogueText());
}
