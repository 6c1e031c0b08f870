import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue } from './catalogue.js';

/** AviList with the species codes of Cornell; not part of the repository. */
const table = new URL('../../../../../shared/data/avilist-2025.tsv', import.meta.url);

/** Species for which the catalogue follows eBird where AviList differs, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'Western Swamphen': 'AviList has one Purple Swamphen; eBird keeps six species',
  'Australasian Swamphen': 'AviList has one Purple Swamphen; eBird keeps six species',
  'Eastern Warbling Vireo': 'split by eBird in 2025',
  'Western Warbling Vireo': 'split by eBird in 2025',
  'Carrion Crow': 'eBird keeps the Hooded Crow apart',
  'Hooded Crow': 'eBird keeps it apart from the Carrion Crow',
  'Northern Yellow Warbler': 'AviList: American Yellow Warbler',
  'Southern Boobook': 'AviList: Australian Boobook, without a code',
  "Bullock's Oriole": 'eBird: Icterus bullockii; AviList: Icterus bullockiorum',
  'Yellow-billed Magpie': 'eBird: Pica nuttalli; AviList: Pica nuttallii',
  'Azure Jay': 'eBird: Cyanocorax caeruleus; AviList: Cyanocorax coeruleus',
  'Monk Parakeet': 'the table has the code of a subspecies group',
  'American Pipit': 'the table has the code of a subspecies group',
  'European Goldfinch': 'the table has the code of a subspecies group',
  'Bronzed Cowbird': 'the table has the code of a subspecies group',
};

interface Listed {
  readonly scientificName: string;
  readonly names: readonly string[];
  readonly code: string;
  readonly family: string;
}

function readTable(): Map<string, Listed> {
  const [, ...lines] = readFileSync(table, 'utf8').trimEnd().split('\n');
  const rows = lines.map((line): Listed => {
    const [scientificName = '', name = '', clements = '', , code = '', , family = ''] = line.split('\t');
    return { scientificName, names: [name, clements].filter(Boolean), code, family };
  });
  return new Map(rows.map((row) => [row.scientificName, row]));
}

const american = (name: string) => name.replace(/Grey/g, 'Gray').replace(/coloured/g, 'colored');

describe.skipIf(!existsSync(table))('catalogue against AviList', () => {
  const listed = existsSync(table) ? readTable() : new Map<string, Listed>();
  const { species, families } = catalogue();

  const differences = species.flatMap(({ name, scientificName, ebirdCode, family }) => {
    const row = listed.get(scientificName);
    if (!row) return [{ name, difference: `${scientificName} is not in the table` }];
    return [
      // Without a code in the table there is nothing to compare.
      ...(row.code && row.code !== ebirdCode ? [{ name, difference: `code ${ebirdCode}, ${row.code}` }] : []),
      ...(row.family === family ? [] : [{ name, difference: `family ${family}, ${row.family}` }]),
      ...(row.names.map(american).includes(name)
        ? []
        : [{ name, difference: `name ${name}, ${row.names.join(' or ')}` }]),
    ];
  });

  test('every species that is no exception, has the same code, English name and family in the table', () => {
    expect(differences.filter(({ name }) => !(name in exceptions))).toEqual([]);
  });

  test('every exception, still differs from the table', () => {
    const differing = new Set(differences.map(({ name }) => name));
    expect(Object.keys(exceptions).filter((name) => !differing.has(name))).toEqual([]);
  });

  test('families and species, are in the order of the table', () => {
    const places = new Map([...listed.keys()].map((name, at) => [name, at]));
    const known = species.flatMap(({ scientificName }) => places.get(scientificName) ?? []);
    expect(known.filter((place, at) => at > 0 && place < (known[at - 1] ?? 0))).toEqual([]);
    expect(families.length).toBeGreaterThan(140);
  });
});
