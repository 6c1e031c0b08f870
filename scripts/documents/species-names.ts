import {
  type Catalogue,
  catalogue,
  genericSpecies,
  groupRoots,
  type translatedLanguages,
} from '@birdhub/domain/species';

type Language = (typeof translatedLanguages)[number];

/** Names of the nodes of the tree that are not in the catalogue. */
const treeNames: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  Birds: { de: 'Vögel', ru: 'Птицы', fr: 'Oiseaux', es: 'Aves', it: 'Uccelli', nl: 'Vogels', pl: 'Ptaki' },
  Bird: { de: 'Vogel', ru: 'Птица', fr: 'Oiseau', es: 'Ave', it: 'Uccello', nl: 'Vogel', pl: 'Ptak' },
  Unknown: {
    de: 'Unbekannt',
    ru: 'Неизвестная птица',
    fr: 'Oiseau inconnu',
    es: 'Ave desconocida',
    it: 'Uccello sconosciuto',
    nl: 'Onbekende vogel',
    pl: 'Nieznany ptak',
  },
  'Other animals': {
    de: 'Andere Tiere',
    ru: 'Другие животные',
    fr: 'Autres animaux',
    es: 'Otros animales',
    it: 'Altri animali',
    nl: 'Andere dieren',
    pl: 'Inne zwierzęta',
  },
  Noise: { de: 'Geräusch', ru: 'Шум', fr: 'Bruit', es: 'Ruido', it: 'Rumore', nl: 'Bijgeluid', pl: 'Hałas' },
};

/** Returns the text of the UI's file with the names of the catalogue in a language, by their English names. */
export function speciesNames(language: Language): string {
  const { families, species, forms, animals, noises }: Catalogue = catalogue();
  const named = [
    ...families.map(({ englishName: name, ...names }) => ({ ...names, name })),
    ...species,
    ...forms,
    ...animals,
    ...noises,
  ];
  const roots = [...new Set([...groupRoots, ...genericSpecies])];
  const rows = [
    ...roots.map((name) => [name, treeNames[name]?.[language]] as const),
    ...named.map((row) => [row.name, row.translations[language]] as const),
  ];
  return `${JSON.stringify(Object.fromEntries(rows.filter(([, name]) => name)), null, 2)}\n`;
}
