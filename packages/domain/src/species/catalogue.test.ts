import { describe, expect, test } from 'vitest';
import { catalogue } from './catalogue.js';
import { GENERIC_SPECIES } from './generic-species.js';
import { labelCandidates, normaliseSpeciesName, speciesKey } from './species-names.js';

const { families, species, forms } = catalogue();

/** eBird keeps a code when the bird's name changes; these were made of a name that is gone. */
const namesBehindCodes: Record<string, string> = {
  azwmag3: 'Azure-winged Magpie',
  brnowl: 'Barn Owl',
  clcrob: 'Clay-colored Robin',
  compea: 'Common Peafowl',
  cowscj1: 'Coastal Western Scrub-Jay',
  eaywag1: 'Eastern Yellow Wagtail',
  eurnut3: 'Eurasian Nutcracker',
  grnwoo3: 'Green Woodpecker',
  gyfwoo1: 'Gray-faced Woodpecker',
  mewgul: 'Mew Gull',
  norgos: 'Northern Goshawk',
  norgos1: 'Northern Goshawk',
  norshr1: 'Northern Shrike',
  rerswa8: 'Red-rumped Swallow',
  winwre4: 'Winter Wren',
  wooscj2: 'Woodhouse Scrub-Jay',
};
const countersOnly = /^[xyt]\d{5}$/;

function repeated(values: readonly string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === part[at]) at += 1;
  return at === part.length;
}

/** Every spelling that seeding gives to one bird or group. */
function spellings(): string[] {
  const all = [
    ...GENERIC_SPECIES.map((name) => [name]),
    ...families.map(({ name, englishName }) => [name, englishName]),
    ...species.map(({ name, scientificName, aliases }) => [name, scientificName, ...aliases]),
    ...forms.map(({ name, scientificName }) => (scientificName ? [name, scientificName] : [name])),
  ];
  return all.flat();
}

describe('catalogue', () => {
  test('its species, counted, are enough for both continents', () => {
    expect(species.length).toBeGreaterThanOrEqual(400);
    expect(forms.length).toBeGreaterThanOrEqual(25);
  });

  test('its spellings, compared by key, each mean one bird', () => {
    expect(repeated(spellings().map(speciesKey))).toEqual([]);
  });

  test('its names, normalised, are what they were', () => {
    expect(spellings().filter((name) => normaliseSpeciesName(name) !== name)).toEqual([]);
  });

  test('its eBird codes, of species and forms, are unique and of the form that eBird gives', () => {
    const codes = [...species, ...forms].flatMap(({ ebirdCode }) => ebirdCode ?? []);
    expect(repeated(codes)).toEqual([]);
    expect(codes.filter((code) => !/^[a-z]{4,7}\d{0,2}$/.test(code) && !countersOnly.test(code))).toEqual([]);
  });

  test('its eBird codes, letter by letter, stand in the name that they were made of', () => {
    const strange = species.filter(({ name, aliases, ebirdCode }) => {
      const letters = ebirdCode.replace(/\d+$/, '');
      const origins = [namesBehindCodes[ebirdCode] ?? name, ...aliases];
      return (
        !countersOnly.test(ebirdCode) &&
        !origins.some(
          (origin) => isSubsequence(letters, origin.toLowerCase()) && letters[0] === origin.toLowerCase()[0],
        )
      );
    });
    expect(strange).toEqual([]);
  });

  test('its scientific names, by their form, are a genus and an epithet, and three words for forms', () => {
    expect(species.filter(({ scientificName }) => !/^[A-Z][a-z]+ [a-z]+$/.test(scientificName))).toEqual([]);
    expect(
      forms.filter(({ scientificName = 'A b c' }) => !/^[A-Z][a-z]* [a-z]+ [a-z]+$/.test(scientificName)),
    ).toEqual([]);
  });

  test('its English names, by their form, are capitalised words', () => {
    const word = "[A-Z][a-z]+(?:'s)?(?:-(?:and-)?[A-Za-z][a-z]+)*(?:'s)?";
    const form = new RegExp(`^${word}(?: ${word})*$`);
    expect([...species, ...forms].filter(({ name }) => !form.test(name))).toEqual([]);
  });

  test('its forms, each, stand below a species and share its scientific name', () => {
    const speciesByName = new Map(species.map((row) => [row.name, row]));
    for (const { name, parent, scientificName } of forms) {
      const row = speciesByName.get(parent);
      expect(row, name).toBeDefined();
      if (scientificName) expect(scientificName.startsWith(`${row?.scientificName} `), name).toBe(true);
    }
  });

  test('a label of a form, by its candidates, meets the form before the species', () => {
    const known = new Map([...species, ...forms].map(({ name }) => [speciesKey(name), name]));
    const found = (label: string) =>
      labelCandidates(label)
        .map((key) => known.get(key))
        .find(Boolean);
    expect(found('Dark-eyed Junco (Slate-colored)')).toBe('Slate-colored Junco');
    expect(found("Setophaga coronata_Yellow-rumped Warbler (Audubon's)")).toBe("Audubon's Warbler");
    expect(found('Northern Flicker (Red-shafted)')).toBe('Red-shafted Flicker');
    expect(found('Dark-eyed Junco (Female)')).toBe('Dark-eyed Junco');
  });
});
