import { type Catalogue, catalogue, GENERIC_SPECIES, groupRoots } from '@birdhub/domain/species';

/** Languages of the UI that the catalogue has names in. */
type Language = 'german' | 'russian';

/** What stands in the tree beside the catalogue. */
const ofTree: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  Birds: { german: 'Vögel', russian: 'Птицы' },
  Bird: { german: 'Vogel', russian: 'Птица' },
  Unknown: { german: 'Unbekannt', russian: 'Неизвестная птица' },
  'Other animals': { german: 'Andere Tiere', russian: 'Другие животные' },
  Noise: { german: 'Geräusch', russian: 'Шум' },
};

/** The text of the file of the UI with the names of the catalogue in a language, by the English name. */
export function speciesNames(language: Language): string {
  const { families, species, forms, animals, noises }: Catalogue = catalogue();
  const named = [
    ...families.map(({ englishName: name, ...names }) => ({ ...names, name })),
    ...species,
    ...forms,
    ...animals,
    ...noises,
  ];
  const roots = [...new Set([...groupRoots, ...GENERIC_SPECIES])];
  const rows = [
    ...roots.map((name) => [name, ofTree[name]?.[language]] as const),
    ...named.map((row) => [row.name, row[`${language}Name`]] as const),
  ];
  return `${JSON.stringify(Object.fromEntries(rows.filter(([, name]) => name)), null, 2)}\n`;
}
