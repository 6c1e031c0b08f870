import { describe, expect, test } from 'vitest';
import { catalogue, catalogueText, parseCatalogue, translatedLanguages } from './catalogue.js';
import { checkCatalogue } from './check-catalogue.js';
import { findLabel } from './find-label.js';
import { readLabel } from './labels.js';
import { genericSpecies, normaliseSpeciesName, speciesKey } from './species-names.js';
import { MemoryNames } from './testing/memory-names.js';

const { families, species, forms, animals, noises } = catalogue();

/** Codes of split or lumped taxa and of groups: a letter and a number. */
const countersOnly = /^[xyt]\d{5}$/;

/** Species without a code: they were split or lumped, and their code is not certain. */
const withoutCode = ['Eastern Barn Owl', 'Asian Tit', 'Eastern Red-rumped Swallow'];

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

/** Every spelling that the seed gives to a bird, animal or group, once per row. */
function spellings(): string[] {
  const all = [
    ...[...genericSpecies, 'Other animals', 'Noise'].map((name) => [name]),
    ...families.map(({ name, englishName, aliases }) => [name, englishName, ...aliases]),
    ...[...species, ...forms, ...animals, ...noises].map((row) => [
      row.name,
      row.scientificName,
      ...('aliases' in row ? row.aliases : []),
      ...Object.values(row.translations),
    ]),
  ];
  // The names of a row may be the same in two languages.
  return all.flatMap((names) => {
    const given = names.flatMap((name) => (name ? [name] : []));
    return given.filter((name, at) => given.findIndex((one) => speciesKey(one) === speciesKey(name)) === at);
  });
}

describe('parseCatalogue', () => {
  const header = `${catalogueText().split('\n', 1)[0]}\n`;

  test('quoted values and both kinds of line ends, are parsed', () => {
    const family = 'family,"Ducks, ""Geese""",Anatidae,,,\r\n';
    const species =
      'species,Smew,Mergus albellus,smew,Anatidae,White Nun;Smee Duck,Zwergsäger,,Harle piette,,,,\n';
    expect(parseCatalogue(header + family + species)).toEqual({
      families: [{ name: 'Anatidae', englishName: 'Ducks, "Geese"', aliases: [], translations: {} }],
      species: [
        {
          name: 'Smew',
          scientificName: 'Mergus albellus',
          family: 'Anatidae',
          ebirdCode: 'smew',
          aliases: ['White Nun', 'Smee Duck'],
          translations: { de: 'Zwergsäger', fr: 'Harle piette' },
        },
      ],
      forms: [],
      animals: [],
      noises: [],
    });
  });

  test('a line with an unknown rank, throws an error with its text', () => {
    expect(() => parseCatalogue(`${header}genus,Mergus`)).toThrow('genus,Mergus');
  });
});

describe('checkCatalogue', () => {
  const header = catalogueText().split('\n', 1)[0] ?? '';
  const family = 'family,Tits,Paridae,,,,Meisen,,,,,,';
  const tit = 'species,Great Tit,Parus major,gretit1,Paridae,,Kohlmeise,,,,,,';

  test('the catalogue, has no mistakes', () => {
    expect(checkCatalogue(catalogueText())).toEqual([]);
  });

  test.each([
    ['too few cells', 'species,Coal Tit,Periparus ater,coatit2,Paridae', 'has 5 cells'],
    ['an unknown rank', 'genus,Parus,Parus,,Paridae,,,,,,,,', 'has the rank genus'],
    [
      'an unknown family',
      'species,Coal Tit,Periparus ater,coatit2,Pariidae,,,,,,,,',
      'has the parent Pariidae',
    ],
    [
      'a scientific name of one word',
      'species,Coal Tit,Periparus,coatit2,Paridae,,,,,,,,',
      'has the invalid scientific name',
    ],
    [
      'a code in capitals',
      'species,Coal Tit,Periparus ater,COATIT,Paridae,,,,,,,,',
      'has the invalid eBird code',
    ],
    ['the code of another line', 'species,Coal Tit,Periparus ater,gretit1,Paridae,,,,,,,,', 'as line 3'],
    [
      'a name of another line',
      'species,Coal Tit,Periparus ater,coatit2,Paridae,great-tit,,,,,,,',
      'as line 3',
    ],
    ['two blanks', 'species,Coal  Tit,Periparus ater,coatit2,Paridae,,,,,,,,', 'has extra spaces'],
  ])('a line with %s, is reported', (_, line, message) => {
    const mistakes = checkCatalogue([header, family, tit, line].join('\n'));
    expect(mistakes.map((mistake) => mistake.line)).toEqual([4]);
    expect(mistakes[0]?.message).toContain(message);
  });
});

describe('catalogue', () => {
  test('the catalogue, has species enough for six continents', () => {
    expect(species.length).toBeGreaterThanOrEqual(1_500);
    expect(forms.length).toBeGreaterThanOrEqual(25);
  });

  test('spellings compared by key, each belong to one bird', () => {
    expect(repeated(spellings().map(speciesKey))).toEqual([]);
  });

  test('all names, are normalised', () => {
    expect(spellings().filter((name) => normaliseSpeciesName(name) !== name)).toEqual([]);
  });

  test('eBird codes of species and forms, are unique and have the format of eBird', () => {
    const codes = [...species, ...forms].flatMap(({ ebirdCode }) => ebirdCode || []);
    expect(repeated(codes)).toEqual([]);
    expect(species.filter(({ ebirdCode }) => !ebirdCode).map(({ name }) => name)).toEqual(withoutCode);
    expect(forms.filter(({ ebirdCode }) => !ebirdCode)).toEqual([]);
    expect(codes.filter((code) => !/^[a-z]{3,7}\d{0,2}$/.test(code) && !countersOnly.test(code))).toEqual([]);
  });

  test('scientific names, have two words, three for forms', () => {
    expect(species.filter(({ scientificName }) => !/^[A-Z][a-z]+ [a-z]+$/.test(scientificName))).toEqual([]);
    expect(
      forms.filter(({ scientificName = 'A b c' }) => !/^[A-Z][a-z]* [a-z]+ [a-z]+$/.test(scientificName)),
    ).toEqual([]);
  });

  test('English names, are capitalised words', () => {
    const word = "(?:[A-Z]')?\\p{Lu}\\p{L}+(?:'s)?(?:-(?:and-)?\\p{L}+(?:'s)?)*";
    const form = new RegExp(`^${word}(?: (?:${word}|der))*$`, 'u');
    expect([...species, ...forms].filter(({ name }) => !form.test(name))).toEqual([]);
  });

  test('each form, has a species as its parent and shares its scientific name', () => {
    const speciesByName = new Map(species.map((row) => [row.name, row]));
    for (const { name, parent, scientificName } of forms) {
      const row = speciesByName.get(parent);
      expect(row, name).toBeDefined();
      if (scientificName) expect(scientificName.startsWith(`${row?.scientificName} `), name).toBe(true);
    }
  });

  test('a label of a form, finds the form, not the species', () => {
    const known = MemoryNames.ofCatalogue(catalogue(), 'other');
    const found = (label: string) => known.node(findLabel(readLabel(label), known)?.id ?? 0)?.name;
    expect(found('Dark-eyed Junco (Slate-colored)')).toBe('Slate-colored Junco');
    expect(found("Setophaga coronata_Yellow-rumped Warbler (Audubon's)")).toBe("Audubon's Warbler");
    expect(found('Northern Flicker (Red-shafted)')).toBe('Red-shafted Flicker');
    expect(found('Dark-eyed Junco (Female)')).toBe('Dark-eyed Junco');
  });

  test.each([
    ['Mésange charbonnière', 'Great Tit'],
    ['mesange charbonniere', 'Great Tit'],
    ['Parus major_Carbonero común', 'Great Tit'],
    ['Pettirosso', 'European Robin'],
    ['Huismus', 'House Sparrow'],
    ['Dzięcioł duży', 'Great Spotted Woodpecker'],
    ['Cardinal rouge (mâle)', 'Northern Cardinal'],
  ])('a label in the language of its detector, %s, finds %s', (label, name) => {
    const known = MemoryNames.ofCatalogue(catalogue(), 'other');
    expect(known.node(findLabel(readLabel(label), known)?.id ?? 0)?.name).toBe(name);
  });

  test('families, are those of the species, in order of appearance', () => {
    const names = families.map(({ name }) => name);
    expect([...new Set(species.map(({ family }) => family))]).toEqual(names);
  });

  test('each other animal or noise, has an earlier row of its group as its parent', () => {
    for (const [root, rows] of [
      ['Other animals', animals],
      ['Noise', noises],
    ] as const) {
      const known = new Set<string>([root]);
      for (const { name, parent } of rows) {
        expect(known.has(parent), name).toBe(true);
        known.add(name);
      }
    }
  });

  test.each(translatedLanguages)('names in %s, use the script of the language', (language) => {
    const rows = [...families, ...species, ...forms, ...animals, ...noises];
    const script = language === 'ru' ? 'Cyrillic' : 'Latin';
    const form = new RegExp(`^\\p{Lu}[\\p{Script=${script}}' -]*(?:, [\\p{Script=${script}}' -]+)?$`, 'u');
    const names = rows.flatMap(({ translations }) => translations[language] ?? []);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name) => !form.test(name))).toEqual([]);
  });

  test('common garden birds, have names in all languages', () => {
    const garden = [
      'Great Tit',
      'House Sparrow',
      'Eurasian Blackbird',
      'European Robin',
      'Northern Cardinal',
    ];
    const known = new Map(species.map((row) => [row.name, Object.keys(row.translations)]));
    for (const name of garden) expect([name, known.get(name)]).toEqual([name, translatedLanguages]);
  });

  test('labels of sound models for other animals and noises, are known', () => {
    const known = new Set(
      [...animals, ...noises].flatMap(({ name, aliases }) => [name, ...aliases].map(speciesKey)),
    );
    const labels = [
      'Dog',
      'Engine',
      'Environmental',
      'Fireworks',
      'Gun',
      'Human vocal',
      'Human non-vocal',
      'Human whistle',
      'Power tools',
      'Siren',
    ];
    expect(labels.filter((label) => !known.has(speciesKey(label)))).toEqual([]);
  });
});
