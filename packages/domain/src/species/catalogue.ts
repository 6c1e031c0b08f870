import { readFileSync } from 'node:fs';

/** A family; `name` is the scientific name, `englishName` what the tree shows. */
export interface CatalogueFamily {
  readonly name: string;
  readonly englishName: string;
}

/** A species; `family` is the scientific name of its family. */
export interface CatalogueSpecies {
  readonly name: string;
  readonly scientificName: string;
  readonly family: string;
  readonly ebirdCode: string;
  /** Other names in use that mean no other bird of the catalogue. */
  readonly aliases: readonly string[];
}

/** A kind below the species called `parent` that a camera tells apart; a scientific name only for a single subspecies. */
export interface CatalogueForm {
  readonly name: string;
  readonly parent: string;
  readonly scientificName?: string;
  readonly ebirdCode?: string;
}

/** The birds that a new hub knows. */
export interface Catalogue {
  readonly families: readonly CatalogueFamily[];
  readonly species: readonly CatalogueSpecies[];
  readonly forms: readonly CatalogueForm[];
}

/** Read from the sources also by the compiled module, as the compiler copies no data. */
const file = new URL('../../src/species/catalogue.csv', import.meta.url);

/** Splits a line of comma-separated values (RFC 4180); no value has a line break. */
function parseLine(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g);
  return [...cells].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

/**
 * Reads a catalogue from comma-separated values with the columns rank, name, scientific name, eBird code, parent (of a
 * species its family, of a form its species) and other names, these separated by semicolons.
 */
export function parseCatalogue(text: string): Catalogue {
  const families: CatalogueFamily[] = [];
  const species: CatalogueSpecies[] = [];
  const forms: CatalogueForm[] = [];
  const [, ...lines] = text.trimEnd().split(/\r?\n/);
  for (const line of lines) {
    const [rank, name = '', scientificName = '', ebirdCode = '', parent = '', otherNames = ''] =
      parseLine(line);
    if (rank === 'family') {
      families.push({ name: scientificName, englishName: name });
    } else if (rank === 'species') {
      const aliases = otherNames === '' ? [] : otherNames.split(';');
      species.push({ name, scientificName, family: parent, ebirdCode, aliases });
    } else if (rank === 'form') {
      forms.push({
        name,
        parent,
        ...(scientificName && { scientificName }),
        ...(ebirdCode && { ebirdCode }),
      });
    } else {
      throw new Error(`no family, species or form in the species catalogue: ${line}`);
    }
  }
  return { families, species, forms };
}

/**
 * Reads the catalogue of a new hub: common feeder, garden and park birds of Europe and North America, named as the
 * eBird/Clements checklist of 2024 names them, with the splits of 2025 (Warbling Vireo, Yellow Warbler).
 */
export function catalogue(): Catalogue {
  return parseCatalogue(readFileSync(file, 'utf8'));
}
