import { FAMILIES, type FamilyName } from './catalogue-families.js';
import { FINCHES_TO_CARDINALS } from './catalogue-finches-to-cardinals.js';
import { FORMS } from './catalogue-forms.js';
import { NON_PASSERINES } from './catalogue-non-passerines.js';
import type { FormRow, SpeciesTable } from './catalogue-rows.js';
import { SONGBIRDS } from './catalogue-songbirds.js';

/** A family; `name` is the scientific name, `englishName` what the tree shows. */
export interface CatalogueFamily {
  readonly name: FamilyName;
  readonly englishName: string;
}

export interface CatalogueSpecies {
  readonly name: string;
  readonly scientificName: string;
  readonly family: FamilyName;
  readonly ebirdCode: string;
  readonly aliases: readonly string[];
}

/** A kind below the species called `parent`. */
export type CatalogueForm = FormRow;

/** The birds that a new hub knows. */
export interface Catalogue {
  readonly families: readonly CatalogueFamily[];
  readonly species: readonly CatalogueSpecies[];
  readonly forms: readonly CatalogueForm[];
}

const tables: readonly SpeciesTable[] = [NON_PASSERINES, SONGBIRDS, FINCHES_TO_CARDINALS];

function speciesOf(family: FamilyName): CatalogueSpecies[] {
  return tables
    .flatMap((table) => table[family] ?? [])
    .map(([name, scientificName, ebirdCode, ...aliases]) => ({
      name,
      scientificName,
      family,
      ebirdCode,
      aliases,
    }));
}

/**
 * Common feeder, garden and park birds of Europe and North America, named as the eBird/Clements checklist
 * of 2024 names them, with the splits of 2025 (Warbling Vireo, Yellow Warbler).
 */
export function catalogue(): Catalogue {
  const names = Object.keys(FAMILIES) as FamilyName[];
  return {
    families: names.map((name) => ({ name, englishName: FAMILIES[name] })),
    species: names.flatMap(speciesOf),
    forms: FORMS,
  };
}
